import type { Browser, Page } from 'playwright-core';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { describeInBrowser, launchBrowser, visit } from '../../support/chromium';
import { edit, run, select, signIn } from '../../support/graphql-editor';

const ALL = /^[^]*$/;
const { email, password } = TEST_ADMIN;

const keptOf = (page: Page): Promise<string> =>
  page.evaluate(`JSON.stringify(Object.entries(localStorage))`);

/** The editor stores its content shortly after the last key press. */
async function untilKept(page: Page, words: string): Promise<string> {
  const isKept = `(localStorage['doorward:system:graphiql:tabState'] ?? '').includes('${words}')`;
  while (!(await page.evaluate(isKept))) await page.waitForTimeout(100);
  return keptOf(page);
}

async function expectNoSecrets(page: Page, words: string): Promise<void> {
  for (const kept of [await untilKept(page, words), await keptOf(page)]) {
    for (const secret of ['Bearer', 'eyJ', password]) expect(kept).not.toContain(secret);
  }
}

describeInBrowser('what the GraphQL editor stores in the browser', () => {
  let test: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    test = await startTestApp();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await test.close();
  });

  it('contains no token of a user, before and after sign-out and at the next visit', async () => {
    const { page, faults } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await signIn(page);
    await select(page, 'query MyPermissions');
    expect(await run(page)).toContain('"service_users"');
    await edit(page, 'query', ALL, 'query First { permissions_me }');
    await expectNoSecrets(page, 'query First');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await edit(page, 'query', ALL, 'query Second { permissions_me }');
    await expectNoSecrets(page, 'query Second');
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('Second').waitFor();
    await expectNoSecrets(page, 'query Second');
    expect(faults).toEqual([]);
  });

  it('contains no password of an example, and leaves the other examples unchanged', async () => {
    const { page, faults } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await page.locator('.graphiql-query-editor').getByText('query ListRules').waitFor();
    await edit(page, 'query', 'you@example.com', email);
    await edit(page, 'query', '"PASSWORD"', `"${password}"`);
    await edit(page, 'query', 'limit: 20', 'limit: 21');
    await select(page, 'mutation SignIn');
    expect(await run(page)).toContain('"access_token"');
    await expectNoSecrets(page, 'limit: 21');
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('limit: 21').waitFor();
    const kept = await untilKept(page, 'limit: 21');
    expect(kept).not.toContain('mutation SignIn');
    for (const name of ['MyPermissions', 'Refresh', 'ResetPassword']) expect(kept).toContain(name);
    expect(await page.locator('.graphiql-tab').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each([
    ['commented out', '# auth_login(password: "SECRET")'],
    ['unfinished', 'mutation { auth_login(email: "you", password: "SECRET'],
    ['without its quotes', 'mutation { auth_login(password: SECRET) { expires } }'],
    ['behind braces in a string', 'mutation { auth_login(email: "}})", \n\npassword: "SECRET") }'],
    ['in a block', 'mutation {\n auth_refresh(refresh_token: """\n}})\n\nSECRET""") { expires } }'],
    ['of a default', 'mutation ($p: String = "SECRET") { auth_login(password: $p) { expires } }'],
  ])('is not secret %s', async (_where, text) => {
    const { page } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await page.locator('.graphiql-query-editor').getByText('query ListRules').waitFor();
    await edit(
      page,
      'query',
      ALL,
      `query Before { permissions_me }\n\n${text}`.replace('SECRET', password),
    );
    await expectNoSecrets(page, 'query Before');
  });

  it('contains nothing that an earlier version of the page stored', async () => {
    const { page } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await page.evaluate((secret) => {
      const run = { query: '{ permissions_me }', headers: `Bearer ${secret}` };
      const old = { queries: [run], favorites: [run], variables: secret, tabState: secret };
      for (const [key, value] of Object.entries(old)) {
        const text = typeof value === 'string' ? value : JSON.stringify({ [key]: value });
        (globalThis as unknown as { localStorage: Record<string, string> }).localStorage[
          `doorward:system:graphiql:${key}`
        ] = text;
      }
    }, password);
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('query ListRules').waitFor();
    const kept = await keptOf(page);
    expect(kept).toContain('permissions_me');
    for (const secret of ['Bearer', password]) expect(kept).not.toContain(secret);
  });
});
