import type { Page } from 'playwright-core';
import { as, TEST_ADMIN } from '../../support';
import { answer, failure, describePages } from './describe-pages';

const emailOf = (page: Page) => page.getByLabel('E-mail');
const passwordOf = (page: Page) => page.getByLabel('Password', { exact: true });
const problemOf = (page: Page) => page.getByRole('alert');
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in' });

async function submit(page: Page, email: string, password: string): Promise<void> {
  await emailOf(page).fill(email);
  await passwordOf(page).fill(password);
  await signIn(page).click();
}

const headingIs = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

/** The focused element with its label or text, as in `input E-mail`. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { tagName, id, textContent } = document.activeElement;
    const label = document.querySelector('label[for="' + id + '"]');
    return tagName.toLowerCase() + ' ' + (label ?? { textContent }).textContent;
  })()`);

describePages('/admin/login', (pages) => {
  it('signs in, still shows the user after a reload, and signs out', async () => {
    const { page, context } = await pages.visit();
    await page.goto('/admin/login');
    expect(await page.title()).toMatch(/Doorward/);
    await submit(page, TEST_ADMIN.email, TEST_ADMIN.password);
    await headingIs(page, 'You are signed in');
    expect(await page.title()).toBe('You are signed in · Doorward');
    await page.getByText(TEST_ADMIN.email).waitFor();
    const [session, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(session).toMatchObject({ name: 'service_session_token', httpOnly: true });
    await page.reload();
    await headingIs(page, 'You are signed in');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await headingIs(page, 'Sign in');
    expect(await context.cookies()).toEqual([]);
    const old = { cookie: `service_session_token=${session?.value}`, 'sec-fetch-site': 'none' };
    expect((await as(pages.test).send('GET', '/users/me', undefined, old)).status).toBe(401);
  });

  it('works with the keyboard alone, and moves the focus to new content', async () => {
    const { page } = await pages.visit();
    await page.goto('/admin/login');
    await emailOf(page).waitFor();
    const { keyboard } = page;
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('input E-mail');
    await keyboard.press('Enter');
    await page.getByText('Enter your password.').waitFor();
    expect(await focused(page)).toBe('input E-mail');
    await keyboard.type(TEST_ADMIN.email);
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('input Password');
    await keyboard.type(TEST_ADMIN.password);
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('button Show');
    await keyboard.press('Space');
    expect(await passwordOf(page).getAttribute('type')).toBe('text');
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('button Sign in');
    await keyboard.press('Enter');
    await headingIs(page, 'You are signed in');
    expect(await focused(page)).toBe('h1 You are signed in');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await headingIs(page, 'Sign in');
    expect(await focused(page)).toBe('h1 Sign in');
    for (let press = 0; press < 5; press += 1) await keyboard.press('Tab');
    expect(await focused(page)).toBe('a Forgot your password?');
    await keyboard.press('Enter');
    await headingIs(page, 'Forgot your password?');
    expect(await focused(page)).toBe('h1 Forgot your password?');
  });

  it('shows at the field what is missing, and sends nothing', async () => {
    const { page, addresses } = await pages.visit();
    await page.goto('/admin/login');
    await emailOf(page).fill('ann@example.com');
    await signIn(page).click();
    await page.getByText('Enter your password.').waitFor();
    expect(await emailOf(page).getAttribute('aria-invalid')).toBe('false');
    expect(await passwordOf(page).getAttribute('aria-invalid')).toBe('true');
    const described = await passwordOf(page).getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Enter your password.');
    expect(addresses.filter((address) => address.includes('/auth/login'))).toEqual([]);
  });

  it('shows the same message for a wrong password and an unknown address, and keeps what was typed', async () => {
    const { page } = await pages.visit();
    await page.goto('/admin/login');
    for (const email of [TEST_ADMIN.email, 'nobody@example.com']) {
      const answered = page.waitForResponse(/\/auth\/login$/);
      await submit(page, email, 'three-wrong-kettles');
      expect((await answered).status()).toBe(401);
      await page.getByText('The e-mail or the password is wrong').waitFor();
      expect(await emailOf(page).inputValue()).toBe(email);
    }
    expect(await problemOf(page).count()).toBe(1);
  });

  it.each<[string, number, unknown, Record<string, string>, RegExp]>([
    [
      'too many attempts',
      429,
      failure('REQUESTS_EXCEEDED'),
      { 'retry-after': '290' },
      /in 5 minutes/,
    ],
    [
      'too many attempts, for seconds',
      429,
      failure('REQUESTS_EXCEEDED'),
      { 'retry-after': '7' },
      /in 7 seconds/,
    ],
    [
      'too many attempts, for one second',
      429,
      failure('REQUESTS_EXCEEDED'),
      { 'retry-after': '1' },
      /in a second/,
    ],
    ['too busy', 503, failure('SERVICE_UNAVAILABLE'), {}, /busy.*in a moment/],
    ['an internal error', 500, failure('INTERNAL_SERVER_ERROR'), {}, /Something went wrong/],
    ['an unknown code', 400, failure('TEAPOT'), {}, /TEAPOT, said by the service/],
    ['a proxy', 502, '<h1>Bad gateway</h1>', {}, /cannot be reached/],
    ['an unexpected format', 400, { errors: 'x' }, {}, /cannot be reached/],
  ])('explains the error: %s', async (_, status, body, headers, words) => {
    const visit = await pages.visit();
    await answer(visit, '/auth/login', status, body, headers);
    await visit.page.goto('/admin/login');
    await submit(visit.page, 'ann@example.com', 'three-green-kettles');
    await visit.page.getByRole('alert').getByText(words).waitFor();
  });

  it('shows that the service cannot be reached, and works once it can', async () => {
    const { page } = await pages.visit();
    await page.goto('/admin/login');
    await page.route('**/auth/login', (route) => route.abort());
    await submit(page, TEST_ADMIN.email, TEST_ADMIN.password);
    await page.getByText('The service cannot be reached').waitFor();
    await page.unroute('**/auth/login');
    await signIn(page).click();
    await headingIs(page, 'You are signed in');
  });

  it('says so too where the browser believes to be offline, and sends nothing later by itself', async () => {
    const { page, addresses } = await pages.visit();
    await page.goto('/admin/login');
    await page.context().setOffline(true);
    await submit(page, TEST_ADMIN.email, TEST_ADMIN.password);
    await page.getByText('The service cannot be reached').waitFor();
    const sent = addresses.length;
    await page.context().setOffline(false);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    expect(addresses.slice(sent).filter((address) => address.includes('/auth/login'))).toEqual([]);
    await headingIs(page, 'Sign in');
  });

  it('explains when the browser does not keep the session', async () => {
    const visit = await pages.visit();
    await answer(visit, '/auth/login', 200, { data: { expires: 1 } });
    await visit.page.goto('/admin/login');
    await submit(visit.page, TEST_ADMIN.email, TEST_ADMIN.password);
    await visit.page.getByText('did not keep the session').waitFor();
  });

  it('sends a form once, however often the button is pressed', async () => {
    const { page, addresses } = await pages.visit();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/auth/login', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/admin/login');
    await submit(page, TEST_ADMIN.email, TEST_ADMIN.password);
    const busy = page.getByRole('button', { name: 'Signing in…' });
    await busy.click({ force: true });
    await busy.press('Enter');
    release();
    await headingIs(page, 'You are signed in');
    expect(addresses.filter((address) => address.endsWith('/auth/login'))).toHaveLength(1);
  });
});

describePages('the step of the one-time password', (pages) => {
  it('asks for the code without showing an error, and sends e-mail, password and code', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, '/auth/login', 401, failure('INVALID_OTP'));
    await page.goto('/admin/login');
    await submit(page, 'ann@example.com', 'three-green-kettles');
    await headingIs(page, 'One-time password');
    expect(await focused(page)).toBe('input Code');
    expect(await problemOf(page).textContent()).toBe('');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the code.').waitFor();
    await page.keyboard.type(' 123456 ');
    const sending = page.waitForRequest(/\/auth\/login$/);
    await page.keyboard.press('Enter');
    expect((await sending).postDataJSON()).toEqual({
      email: 'ann@example.com',
      password: 'three-green-kettles',
      otp: '123456',
      mode: 'session',
    });
    await page.getByText('The code is wrong').waitFor();
  });

  it('returns to the password if it is wrong, and on request', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, '/auth/login', 401, failure('INVALID_OTP'));
    await page.goto('/admin/login');
    await submit(page, 'ann@example.com', 'three-green-kettles');
    await page.getByRole('button', { name: 'Use another account' }).click();
    await headingIs(page, 'Sign in');
    expect(await emailOf(page).inputValue()).toBe('');
    await submit(page, 'ann@example.com', 'three-green-kettles');
    await headingIs(page, 'One-time password');
    await answer(visit, '/auth/login', 429, failure('REQUESTS_EXCEEDED'));
    await page.getByLabel('Code').fill('123456');
    await signIn(page).click();
    await page.getByText('Too many attempts').waitFor();
    await headingIs(page, 'One-time password');
    await answer(visit, '/auth/login', 401, failure('INVALID_CREDENTIALS'));
    await signIn(page).click();
    await headingIs(page, 'Sign in');
    await page.getByText('The e-mail or the password is wrong').waitFor();
  });
});
