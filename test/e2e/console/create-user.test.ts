import type { Page } from 'playwright-core';
import { type TestClient } from '../../support';
import { answer, describePages, failure } from './describe-pages';
import {
  adminOf,
  enter,
  headingIs,
  made,
  makePerson,
  MARKUP,
  openHome,
  type Person,
  visitAs,
} from './people';

const PASSWORD = 'four-yellow-teapots';

const press = (page: Page, name = 'Create the user') => page.getByRole('button', { name }).click();
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label });
const optionOf = (page: Page, label: string, option: string) =>
  page.getByLabel(label).selectOption({ label: option });

/** The error that is shown at a field. */
async function faultAt(page: Page, name: string): Promise<string | null> {
  const control = page.locator(`[name="${name}"][aria-invalid="true"]`);
  await control.waitFor();
  const described = (await control.getAttribute('aria-describedby')) ?? '';
  return page.locator(`[id="${described.split(' ').at(-1)}"]`).textContent();
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await page.locator(`[name="${name}"]`).fill(value);
  }
}

describePages('/admin/users/new', (pages) => {
  let admin: TestClient;
  let clerk: Person;
  let role: string;

  beforeAll(async () => {
    admin = await adminOf(pages.test);
    role = await made(admin, '/roles', { name: MARKUP });
    await made(admin, '/users', { email: 'taken@example.com' });
    const users = { collection: 'service_users', permissions: {} };
    clerk = await makePerson(admin, 'clerk', {
      rules: [
        { ...users, action: 'create', fields: ['email', 'first_name', 'role'] },
        { ...users, action: 'read', fields: ['email'] },
        { collection: 'service_roles', action: 'read', permissions: {}, fields: ['id', 'name'] },
      ],
    });
  });

  /** The stored user, as an administrator reads it. */
  async function stored(email: string): Promise<unknown[]> {
    const filter = encodeURIComponent(JSON.stringify({ email: { _eq: email } }));
    const fields = 'first_name,last_name,status,role,password';
    const { data } = await admin.get(`/users?fields=${fields}&filter=${filter}`);
    return data as unknown as unknown[];
  }

  it('creates a user by hand, who then signs in', async () => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users');
    await page.getByRole('link', { name: 'Create a user' }).click();
    await headingIs(page, 'Create a user');
    await fill(page, { email: ' ann@example.com ', first_name: 'Ann', last_name: MARKUP });
    await field(page, 'Password').fill(PASSWORD);
    await optionOf(page, 'Role', MARKUP);
    await press(page);
    await headingIs(page, 'The user is created');
    await page.getByText('ann@example.com').waitFor();
    expect(await stored('ann@example.com')).toEqual([
      { first_name: 'Ann', last_name: MARKUP, status: 'active', role, password: '**********' },
    ]);
    await page.getByRole('link', { name: 'Back to the users' }).click();
    await page.getByRole('row').filter({ hasText: 'ann@example.com' }).waitFor();

    const other = await visitAs(pages, { email: 'ann@example.com', password: PASSWORD });
    await openHome(other);
    await other.page.getByText('ann@example.com').waitFor();
  });

  it('sends only filled-in fields, and starts with an empty form for the next user', async () => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users/new');
    await fill(page, { email: 'bob@example.com' });
    await optionOf(page, 'Status', 'Draft');
    const sending = page.waitForRequest(/\/users$/);
    await press(page);
    expect((await sending).postDataJSON()).toEqual({ email: 'bob@example.com', status: 'draft' });
    await press(page, 'Create another');
    await headingIs(page, 'Create a user');
    expect(await page.locator('[name=email]').inputValue()).toBe('');
    expect(await page.getByLabel('Status').inputValue()).toBe('active');
  });

  it('cannot send a user without any data', async () => {
    const { page, addresses } = await visitAs(pages);
    await page.goto('/admin/users/new');
    await press(page);
    expect(await faultAt(page, 'email')).toBe('Enter an e-mail address.');
    expect(await page.evaluate('document.activeElement.name')).toBe('email');
    expect(addresses.filter((address) => new URL(address).pathname === '/users')).toEqual([]);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['an invalid address', { email: 'nobody' }, 'email', 'This is not an e-mail address.'],
    [
      'an address that is taken',
      { email: 'TAKEN@example.com' },
      'email',
      'The e-mail is taken: another user has it.',
    ],
    [
      'a weak password',
      { password: '1234567' },
      'password',
      'Use at least 8 characters, not only spaces.',
    ],
    ['a long name', { first_name: 'x'.repeat(256) }, 'first_name', 'The first name is too long.'],
  ])('shows what the service refuses beside the field: %s', async (_, values, name, words) => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users/new');
    await fill(page, { email: 'eve@example.com', ...values });
    await press(page);
    expect(await faultAt(page, name)).toBe(words);
    expect(await page.evaluate('document.activeElement.name')).toBe(name);
    expect(await page.getByRole('alert').textContent()).toBe('');
    expect(await stored('eve@example.com')).toEqual([]);
  });

  it('shows all errors, including those about fields that the form does not have', async () => {
    const visit = await visitAs(pages);
    const { page } = visit;
    const fault = (field: string, type: string) => ({
      message: `Told of ${field}.`,
      extensions: { code: 'FAILED_VALIDATION', field, type },
    });
    await answer(visit, '/users', 400, {
      errors: [
        fault('first_name', 'required'),
        fault('department', 'gte'),
        fault('email', 'email'),
      ],
    });
    await page.goto('/admin/users/new');
    await fill(page, { email: 'eve@example.com' });
    await press(page);
    expect(await faultAt(page, 'email')).toBe('This is not an e-mail address.');
    expect(await faultAt(page, 'first_name')).toBe('The first name is needed.');
    expect(await page.getByRole('alert').textContent()).toBe('Told of department.');
    expect(await page.evaluate('document.activeElement.name')).toBe('email');
  });

  it('shows the fields that the person may write, and explains a refusal', async () => {
    const { page } = await visitAs(pages, clerk);
    await page.goto('/admin/users');
    await page.getByRole('link', { name: 'Create a user' }).click();
    await headingIs(page, 'Create a user');
    const names = await page
      .locator('main [name]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('name')));
    expect(names).toEqual(['email', 'first_name', 'role']);
    const refusal = failure('FORBIDDEN');
    await page.route('**/users', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/json',
        body: JSON.stringify(refusal),
      }),
    );
    await fill(page, { email: 'eve@example.com' });
    await press(page);
    await page.getByRole('alert').getByText('FORBIDDEN, said by the service.').waitFor();
    expect(await page.locator('[name=email]').inputValue()).toBe('eve@example.com');
  });

  it('explains at the role that it grants more than the person has, and creates no one', async () => {
    const { page } = await visitAs(pages, clerk);
    await page.goto('/admin/users/new');
    await fill(page, { email: 'eve@example.com' });
    await optionOf(page, 'Role', 'Administrator');
    await press(page);
    expect(await faultAt(page, 'role')).toBe('The role is not yours to set.');
    expect(await stored('eve@example.com')).toEqual([]);
  });

  it('leads to sign-in and back if the session has ended', async () => {
    const { page, context } = await visitAs(pages);
    await page.goto('/admin/users/new');
    await fill(page, { email: 'eve@example.com' });
    await context.clearCookies();
    await press(page);
    await headingIs(page, 'Sign in');
    expect(await stored('eve@example.com')).toEqual([]);
    await enter(page);
    await headingIs(page, 'Create a user');
  });

  it('explains that the person may create no one', async () => {
    const stranger = await makePerson(admin, 'stranger', {});
    const { page } = await visitAs(pages, stranger);
    await page.goto('/admin/users/new');
    await page.getByText('You may not create users.').waitFor();
    expect(await page.locator('form').count()).toBe(0);
  });

  it('explains that no role can be chosen if the roles cannot be loaded', async () => {
    const visit = await visitAs(pages);
    await answer(visit, '/roles?**', 503, failure('SERVICE_UNAVAILABLE'));
    await visit.page.goto('/admin/users/new');
    await visit.page.getByText('The roles could not be loaded.').waitFor();
  });

  it('sends a form once, however often the button is pressed', async () => {
    const { page, addresses } = await visitAs(pages);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/users', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/admin/users/new');
    await fill(page, { email: 'once@example.com' });
    await press(page);
    const busy = page.getByRole('button', { name: 'Creating…' });
    await busy.click({ force: true });
    await busy.press('Enter');
    release();
    await headingIs(page, 'The user is created');
    expect(addresses.filter((address) => new URL(address).pathname === '/users')).toHaveLength(1);
  });
});

describePages(
  '/admin/users/new of a project that requires fields',
  (pages) => {
    it('asks for missing required fields, including those that the form does not usually have', async () => {
      const { page } = await visitAs(pages);
      await page.goto('/admin/users/new');
      await fill(page, { email: 'ann@example.com' });
      await press(page);
      expect(await faultAt(page, 'last_name')).toBe('The last name is needed.');
      expect(await faultAt(page, 'title')).toBe('«title» is needed.');
      expect(await page.getByRole('alert').textContent()).toBe('');
      await fill(page, { last_name: 'Low', title: 'Chief' });
      await press(page);
      await headingIs(page, 'The user is created');
    });
  },
  () => Promise.resolve({ env: { USER_REQUIRED_FIELDS: 'email,last_name,title' } }),
);
