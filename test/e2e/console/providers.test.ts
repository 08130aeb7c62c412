import { answer, describePages } from './describe-pages';

const LIST = '/auth?sessionOnly=true';
const ACME = { name: 'acme co', driver: 'openid', label: 'Acme <b>Inc</b>', icon: 'key' };

describePages('/admin/login with external providers', (pages) => {
  it('lists them next to the password, as links that return to the page', async () => {
    const visit = await pages.visit();
    await answer(visit, LIST, 200, { data: [ACME], disableDefault: false });
    await visit.page.goto('/admin/login');
    const link = visit.page.getByRole('link', { name: 'Sign in with Acme <b>Inc</b>' });
    expect(await link.getAttribute('href')).toBe('/auth/login/acme%20co?redirect=%2Fadmin%2Flogin');
    expect(await visit.page.getByLabel('E-mail').count()).toBe(1);
  });

  it('still shows them after a return to the tab, where nobody is signed in', async () => {
    const visit = await pages.visit();
    const { page } = visit;
    await answer(visit, LIST, 200, { data: [ACME], disableDefault: false });
    await page.clock.install();
    await page.goto('/admin/login');
    const link = page.getByRole('link', { name: 'Sign in with Acme' });
    await link.waitFor();
    await page.unroute(`**${LIST}`);
    await page.route(`**${LIST}`, (route) => route.abort());
    await page.clock.fastForward(31_000);
    const asked = page.waitForResponse(/\/users\/me/);
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await asked;
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await link.count()).toBe(1);
  });

  it('asks for no password if sign-in by password is disabled', async () => {
    const visit = await pages.visit();
    await answer(visit, LIST, 200, { data: [ACME], disableDefault: true });
    await visit.page.goto('/admin/login?reason=INVALID_CREDENTIALS');
    await visit.page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
    expect(await visit.page.getByLabel('E-mail').count()).toBe(0);
    await visit.page.getByRole('alert').getByText('The sign-in was not accepted').waitFor();
  });

  it.each<[unknown, number]>([
    [{ data: 'x' }, 200],
    [{ data: [null, 1, { label: 'no name' }], disableDefault: 'yes' }, 200],
    [{ errors: [] }, 404],
  ])('shows the password alone where the list is not usable: %j', async (body, status) => {
    const visit = await pages.visit();
    await answer(visit, LIST, status, body);
    const asked = visit.page.waitForResponse(/\/auth\?/);
    await visit.page.goto('/admin/login');
    await asked;
    await visit.page.getByLabel('E-mail').waitFor();
    expect(await visit.page.getByRole('navigation').count()).toBe(0);
  });

  it.each([
    ['INVALID_CREDENTIALS', 'The sign-in was not accepted'],
    ['SERVICE_UNAVAILABLE', 'too busy'],
    ['constructor', 'Something went wrong'],
    ['Call +1 555 0100 to unlock', 'Something went wrong'],
    ['<img src=x onerror=alert(1)>', 'Something went wrong'],
  ])('explains a failure in words of its own: %s', async (reason, words) => {
    const { page } = await pages.visit();
    await page.goto(`/admin/login?${new URLSearchParams({ reason }).toString()}`);
    await page.getByRole('alert').getByText(words).waitFor();
    expect(await page.locator('body').textContent()).not.toContain('555');
  });
});
