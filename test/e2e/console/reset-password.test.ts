import type { Page } from 'playwright-core';
import {} from '../../support';
import { answer, failure, describePages } from './describe-pages';

const TOKEN = 'canary-1a2b3c';
const headingIs = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true });
const again = (page: Page) => page.getByLabel('New password again', { exact: true });

async function choose(page: Page, password: string, repeated = password): Promise<void> {
  await newPassword(page).fill(password);
  await again(page).fill(repeated);
  await page.getByRole('button', { name: 'Change the password' }).click();
}

describePages('/admin/reset-password', (pages) => {
  it('takes the token out of the address and the history, and sends it to the service alone', async () => {
    const visit = await pages.visit();
    const { page, addresses } = visit;
    await answer(visit, '/auth/password/reset', 204, '');
    await page.goto(`/admin/reset-password?token=${TOKEN}&more=1#part`);
    await headingIs(page, 'Choose a new password');
    expect(page.url()).not.toContain(TOKEN);
    expect(await page.evaluate('JSON.stringify(history.state)')).not.toContain(TOKEN);
    expect(await page.content()).not.toContain(TOKEN);
    const sending = page.waitForRequest(/password\/reset$/);
    await choose(page, 'three-green-kettles');
    expect((await sending).postDataJSON()).toEqual({
      token: TOKEN,
      password: 'three-green-kettles',
    });
    await headingIs(page, 'Your password is changed');
    expect(addresses.filter((address) => address.includes(TOKEN))).toHaveLength(1);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await headingIs(page, 'Sign in');
  });

  it('sends a token unchanged, even one that looks like a number', async () => {
    const visit = await pages.visit();
    await answer(visit, '/auth/password/reset', 204, '');
    const token = '90071992547409931234';
    await visit.page.goto(`/admin/reset-password?token=${token}`);
    const sending = visit.page.waitForRequest(/password\/reset$/);
    await choose(visit.page, 'three-green-kettles');
    expect((await sending).postDataJSON()).toMatchObject({ token });
  });

  it('compares the two passwords before it sends one', async () => {
    const { page, addresses } = await pages.visit();
    await page.goto(`/admin/reset-password?token=${TOKEN}`);
    await choose(page, 'three-green-kettles', 'three-green-kettle');
    await page.getByText('The two passwords are not the same.').waitFor();
    await choose(page, '', '');
    await page.getByText('Enter a new password.').waitFor();
    expect(addresses.filter((address) => address.endsWith('/auth/password/reset'))).toEqual([]);
  });

  it.each([
    ['min_length', 8, 'Use at least 8 characters'],
    ['max_bytes', 72, 'The password is too long: at most 72'],
    ['regex', '[0-9]', 'does not follow the rules'],
    ['new_rule', undefined, 'FAILED_VALIDATION, said by the service.'],
  ])('shows at the field why the service refuses a password: %s', async (type, valid, words) => {
    const visit = await pages.visit();
    const { page } = visit;
    const refusal = failure('FAILED_VALIDATION', { field: 'password', type, valid });
    await answer(visit, '/auth/password/reset', 400, refusal);
    await page.goto(`/admin/reset-password?token=${TOKEN}`);
    await choose(page, 'three-green-kettles');
    await page.getByText(words).waitFor();
    expect(await newPassword(page).getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('password');
    expect(await page.getByRole('alert').textContent()).toBe('');
  });

  it('shows the reason in the words of the service, if it gives one', async () => {
    const visit = await pages.visit();
    const reason = 'must have at least 12 characters';
    const refusal = failure('INVALID_PAYLOAD', { field: 'password', reason });
    await answer(visit, '/auth/password/reset', 400, refusal);
    await visit.page.goto(`/admin/reset-password?token=${TOKEN}`);
    await choose(visit.page, 'three-green-kettles');
    await visit.page.getByText('The password must have at least 12 characters.').waitFor();
  });

  it('offers a new link if the old one was used', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, '/auth/password/reset', 403, failure('INVALID_TOKEN'));
    await page.goto(`/admin/reset-password?token=${TOKEN}`);
    await choose(page, 'three-green-kettles');
    await headingIs(page, 'The link is no longer valid');
    await page.getByRole('button', { name: 'Ask for a new link' }).click();
    await headingIs(page, 'Forgot your password?');
  });

  it('asks for the address without a token, and answers the same for any address', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, '/auth/password/request', 204, '');
    for (const path of ['/admin/reset-password', '/admin/reset-password?token=']) {
      await page.goto(path);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText('Enter your e-mail address.').waitFor();
      await page.getByLabel('E-mail').fill(' ann@example.com ');
      const sending = page.waitForRequest(/password\/request$/);
      await page.keyboard.press('Enter');
      expect((await sending).postDataJSON()).toEqual({ email: 'ann@example.com' });
      await headingIs(page, 'Look into your mailbox');
      await page.getByText('If there is an account').waitFor();
    }
  });

  it('explains why no mail was requested', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await page.goto('/admin/reset-password');
    await page.getByLabel('E-mail').fill('ann@example.com');
    const cases: [number, unknown, RegExp][] = [
      [429, failure('REQUESTS_EXCEEDED'), /Too many attempts/],
      [400, failure('INVALID_PAYLOAD', { field: 'email' }), /INVALID_PAYLOAD, said/],
    ];
    for (const [status, body, words] of cases) {
      await answer(visit, '/auth/password/request', status, body);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await page.getByText(words).waitFor();
    }
  });
});

describePages('any other page', (pages) => {
  it.each(['/admin/nothing', '/admin/nothing/at/all/', '/admin/login/more'])(
    'is not found, and links to sign-in: %s',
    async (path) => {
      const { page } = await pages.visit();
      expect((await page.goto(path))?.status()).toBe(404);
      await headingIs(page, 'Page not found');
      expect(await page.title()).toBe('Page not found · Doorward');
      await page.getByRole('link', { name: 'Go to sign-in' }).click();
      await headingIs(page, 'Sign in');
      expect(page.url()).toBe(`${pages.test.url}/admin/login`);
    },
  );

  it.each(['/admin', '/admin/'])('begins with sign-in: %s', async (path) => {
    const { page } = await pages.visit();
    await page.goto(path);
    await headingIs(page, 'Sign in');
    expect(page.url()).toBe(`${pages.test.url}/admin/login`);
  });
});
