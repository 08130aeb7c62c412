import type { Page } from 'playwright-core';
import { TEST_ADMIN, type TestClient } from '../../support';
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

const HOW_MANY = 110;
const PAGE_SIZE = 25;

const emailOf = (index: number): string => `u${String(index).padStart(3, '0')}@example.com`;
const statusIs = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();
const firstCells = (page: Page) => page.locator('tbody tr td:first-child').allTextContents();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.keyboard.press('Enter');
}

describePages('/admin/users', (pages) => {
  let admin: TestClient;
  let clerk: Person;
  let stranger: Person;
  let barred: Person;
  let self: Person;

  beforeAll(async () => {
    admin = await adminOf(pages.test);
    const role = await made(admin, '/roles', { name: `Editors ${MARKUP}` });
    const users = Array.from({ length: HOW_MANY }, (_, index) => ({
      email: emailOf(index),
      ...{ first_name: `First${index}`, last_name: `Last${HOW_MANY - index}` },
      ...(index === 7 && { first_name: MARKUP, role, status: 'suspended' }),
    }));
    expect((await admin.post('/users', users)).status).toBe(200);
    const read = { collection: 'service_users', action: 'read', permissions: {} };
    clerk = await makePerson(admin, 'clerk', { rules: [{ ...read, fields: ['email', 'status'] }] });
    stranger = await makePerson(admin, 'stranger', {});
    self = await makePerson(admin, 'self', { app_access: true });
    barred = await makePerson(admin, 'barred', {
      enforce_tfa: true,
      rules: [{ ...read, fields: ['*'] }],
    });
  });

  const total = HOW_MANY + 5;

  it('shows every user once, and loads one page at a time', async () => {
    const visit = await visitAs(pages);
    const { page, addresses } = visit;
    await openHome(visit);
    await follow(page, 'Users of this project');
    await headingIs(page, 'Users');
    const seen: string[] = [];
    for (let number = 1; number <= 5; number += 1) {
      await statusIs(page, `${total} users, page ${number} of 5`);
      const cells = await firstCells(page);
      expect(cells).toHaveLength(number < 5 ? PAGE_SIZE : total - 4 * PAGE_SIZE);
      seen.push(...cells);
      if (number < 5) await follow(page, 'Next page');
    }
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toEqual([...seen].sort((one, other) => (one < other ? -1 : 1)));
    const asked = addresses.filter((address) => address.includes('/users?fields=id%2C'));
    expect(asked).toHaveLength(5);
    for (const address of asked) expect(address).toContain(`limit=${PAGE_SIZE}`);
  });

  it('keeps page, search and order in its address, through reload and back', async () => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users?page=2');
    await statusIs(page, `${total} users, page 2 of 5`);
    await follow(page, 'Previous page');
    await statusIs(page, `${total} users, page 1 of 5`);
    await search(page, 'First10');
    await statusIs(page, '11 users');
    expect(await page.evaluate('document.activeElement.name')).toBe('search');
    await page.getByRole('columnheader', { name: 'E-mail' }).getByRole('link').click();
    await page.locator('th[aria-sort="descending"]', { hasText: 'E-mail' }).waitFor();
    await statusIs(page, '11 users');
    expect(new URL(page.url()).search).toBe('?search=First10&sort=-email');
    expect((await firstCells(page))[0]).toBe(emailOf(109));
    await page.reload();
    await statusIs(page, '11 users');
    expect(await page.getByRole('searchbox').inputValue()).toBe('First10');
    expect((await firstCells(page))[0]).toBe(emailOf(109));
    await page.goBack();
    await page.goBack();
    await statusIs(page, `${total} users, page 1 of 5`);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('sorts by a column either way', async () => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users?search=@example.com');
    const sortBy = async (label: string, direction: string): Promise<string[]> => {
      await page.getByRole('columnheader', { name: label }).getByRole('link').click();
      await page.locator(`th[aria-sort="${direction}"]`, { hasText: label }).waitFor();
      await statusIs(page, `${HOW_MANY + 1} users, page 1 of 5`);
      expect(await page.locator('th[aria-sort]').count()).toBe(1);
      return firstCells(page);
    };
    // Users without a last name may come first.
    expect((await sortBy('Name', 'ascending')).slice(0, 2)).toContain(emailOf(109));
    expect((await sortBy('Name', 'descending')).slice(0, 2)).toContain(emailOf(11));
    expect(await sortBy('Status', 'ascending')).not.toContain(emailOf(7));
    expect((await sortBy('Status', 'descending'))[0]).toBe(emailOf(7));
  });

  it('shows an empty list, and accepts any address', async () => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users?search=nobody-at-all');
    await statusIs(page, 'No user was found.');
    expect(await page.getByRole('table').count()).toBe(0);
    for (const query of ['page=0', 'page=-1', 'page=x', 'page=1e9', 'sort=password', 'sort=-x']) {
      await page.goto(`/admin/users?${query}`);
      await statusIs(page, `${total} users, page 1 of 5`);
    }
    await page.goto('/admin/users?page=77');
    await statusIs(page, `${total} users, none of them on page 77.`);
    await follow(page, 'Previous page');
    await statusIs(page, `${total} users, page 5 of 5`);
  });

  it('shows names as text, whatever they contain (54)', async () => {
    const { page, faults } = await visitAs(pages);
    await page.goto(`/admin/users?search=${encodeURIComponent(MARKUP)}`);
    await statusIs(page, '1 user');
    const row = page.getByRole('row').filter({ hasText: emailOf(7) });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      ...[emailOf(7), `${MARKUP} Last103`, `Editors ${MARKUP}`, 'Suspended'],
      ...[expect.stringMatching(/\d{4}$/) as string, ''],
    ]);
    expect(await page.title()).toBe('Users · Doorward');
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('leads a signed-out person to sign-in, and back to the same page', async () => {
    const { page, addresses } = await pages.visit();
    await page.goto('/admin/users?page=3&sort=-email');
    await headingIs(page, 'Sign in');
    expect(
      addresses.filter((address) => /^\/(users$|permissions)/.test(new URL(address).pathname)),
    ).toEqual([]);
    await enter(page);
    await statusIs(page, `${total} users, page 3 of 5`);
    expect(page.url()).toBe(`${pages.test.url}/admin/users?page=3&sort=-email`);
    await page.goBack();
    expect(page.url()).not.toContain('/admin/login');
  });

  it.each([
    ...['https://evil.example.com', '//evil.example.com', '/\\evil.example.com', 'javascript:1'],
    ...['/users/../../x', '/usersx', '/', '/login?next=/users', 'users', '/users#x'],
  ])('leads from sign-in to no other place, whatever the link contains: %s (53)', async (next) => {
    const { page } = await pages.visit();
    await page.goto(`/admin/login?${new URLSearchParams({ next }).toString()}`);
    await enter(page);
    await headingIs(page, 'You are signed in');
    expect(new URL(page.url()).origin).toBe(pages.test.url);
  });

  it('shows no data after the session has ended', async () => {
    const visit = await visitAs(pages);
    const { page } = visit;
    await page.goto('/admin/users');
    await statusIs(page, `${total} users, page 1 of 5`);
    await visit.context.clearCookies();
    await follow(page, 'Next page');
    await headingIs(page, 'Sign in');
    expect(await page.content()).not.toContain('u001@example.com');
    await enter(page);
    await statusIs(page, `${total} users, page 2 of 5`);
  });

  it('signs out, and shows the next person their own data', async () => {
    const { page, context } = await visitAs(pages);
    await page.goto('/admin/users');
    await page.getByText(emailOf(1)).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await headingIs(page, 'Sign in');
    expect(await context.cookies()).toEqual([]);
    await enter(page, stranger);
    await page.getByText('You may not see the users of this project.').waitFor();
    expect(await page.content()).not.toContain(emailOf(1));
  });

  it('explains in a plain sentence that the person may see no one', async () => {
    const visit = await visitAs(pages, stranger);
    const { page, addresses } = visit;
    await openHome(visit);
    expect(await page.getByRole('link', { name: 'Users of this project' }).count()).toBe(0);
    await page.goto('/admin/users');
    await page.getByText('You may not see the users of this project.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Create a user' }).count()).toBe(0);
    expect(addresses.filter((address) => address.includes('/users?fields=id%2C'))).toEqual([]);
  });

  it('shows the columns that the rules grant, and requests no others', async () => {
    const { page } = await visitAs(pages, clerk);
    await page.goto('/admin/users?sort=name');
    await statusIs(page, `${total} users, page 1 of 5`);
    const headers = await page.getByRole('columnheader').allTextContents();
    expect(headers).toEqual(['E-mail', 'Status']);
    expect(await page.getByRole('link', { name: 'Create a user' }).count()).toBe(0);
    await page.getByText(TEST_ADMIN.email).waitFor();
  });

  it('shows people only themselves if they may see nobody else', async () => {
    const visit = await visitAs(pages, self);
    const { page } = visit;
    await openHome(visit);
    await page.getByRole('link', { name: 'Users of this project' }).click();
    await statusIs(page, '1 user');
    expect(await firstCells(page)).toEqual([self.email]);
    expect(await page.getByRole('link', { name: 'Create a user' }).count()).toBe(0);
  });

  it('explains what to do first to a person who must set up two-factor authentication', async () => {
    const { page } = await visitAs(pages, barred);
    await page.goto('/admin/users');
    await page.getByRole('alert').getByText('Set up two-factor authentication first').waitFor();
  });

  it.each<[number, unknown, RegExp]>([
    [400, failure('INVALID_QUERY'), /INVALID_QUERY, said by the service/],
    [403, failure('FORBIDDEN'), /FORBIDDEN, said by the service/],
    [429, failure('REQUESTS_EXCEEDED'), /Too many attempts/],
    [503, failure('SERVICE_UNAVAILABLE'), /too busy/],
    [502, '<h1>Bad gateway</h1>', /cannot be reached/],
    [200, { data: 'no list' }, /There are no users/],
  ])('explains why there is no list: %d', async (status, body, words) => {
    const visit = await visitAs(pages);
    await answer(visit, '/users?fields=id%2C**', status, body);
    await visit.page.goto('/admin/users');
    await visit.page.locator('[role=alert], [role=status]').getByText(words).waitFor();
  });

  it('works with the keyboard alone', async () => {
    const { page } = await visitAs(pages);
    await page.goto('/admin/users');
    await statusIs(page, `${total} users, page 1 of 5`);
    const { keyboard } = page;
    const names: string[] = [];
    for (let press = 0; press < 11; press += 1) {
      await keyboard.press('Tab');
      names.push(
        await page.evaluate<string>(
          'document.activeElement.getAttribute("aria-label") || document.activeElement.textContent || document.activeElement.name',
        ),
      );
    }
    expect(names).toEqual([
      ...['Sign out', 'search', 'Search', 'Create a user', 'Users', 'E-mail ↑', 'Name', 'Role'],
      ...['Status', 'Created', 'Last seen'],
    ]);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await statusIs(page, `${total} users, page 2 of 5`);
  });

  it('keeps the focus on the paging links if the followed link disappears', async () => {
    const { page } = await visitAs(pages);
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.goto('/admin/users?page=4');
    await page.getByRole('link', { name: 'Next page' }).press('Enter');
    await statusIs(page, `${total} users, page 5 of 5`);
    expect(await focused()).toBe('Previous page');
    await page.goto('/admin/users?page=2');
    await page.getByRole('link', { name: 'Previous page' }).press('Enter');
    await statusIs(page, `${total} users, page 1 of 5`);
    expect(await focused()).toBe('Next page');
  });
});
