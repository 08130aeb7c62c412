import type { Browser, Page } from 'playwright-core';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { describeInBrowser, launchBrowser, visit } from '../../support/chromium';
import { select, signIn, textOf } from '../../support/graphql-editor';

const answer = (page: Page, words: string | RegExp): Promise<void> =>
  page.locator('.result-window').getByText(words).first().waitFor();

/** Runs an operation. Its first answer is not waited for: the page does not read one that it asks for again. */
async function run(page: Page, words: string): Promise<void> {
  await select(page, words);
  await page.keyboard.press('Control+Enter');
}

describeInBrowser('the session of the GraphQL editor', () => {
  let test: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    test = await startTestApp({ env: { ACCESS_TOKEN_TTL: '1s' } });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await test.close();
  });

  async function signedIn(): Promise<Page> {
    const { page } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await select(page, 'query MyPermissions');
    await signIn(page);
    return page;
  }

  /** Until the token of the open tab is refused. */
  async function expire(page: Page): Promise<void> {
    const { Authorization } = JSON.parse(await textOf(page, 'headers')) as Record<string, string>;
    const headers = { Authorization: String(Authorization) };
    while ((await fetch(`${test.url}/users/me`, { headers })).status !== 401) {
      await page.waitForTimeout(100);
    }
  }

  const rules = async (): Promise<number> =>
    (await test.database.query('SELECT id FROM service_permissions')).length;

  it('outlasts the access token, and what was refused is run once', async () => {
    const page = await signedIn();
    const first = await textOf(page, 'headers');
    expect(first).toContain('Bearer ');
    await expire(page);
    const before = await rules();
    await run(page, 'mutation CreateRule {');
    await answer(page, '"create_permissions_item"');
    expect(await rules()).toBe(before + 1);
    const second = await textOf(page, 'headers');
    expect(second).toContain('Bearer ');
    expect(second).not.toBe(first);
    await page.getByText(`Signed in as ${TEST_ADMIN.email}`).waitFor();
  });

  it('is used by a tab that was opened before the token was renewed', async () => {
    const page = await signedIn();
    const first = await textOf(page, 'headers');
    await page.getByRole('button', { name: 'Add tab' }).click();
    await page.locator('.graphiql-tab').nth(1).waitFor();
    await expire(page);
    await page.locator('.graphiql-tab-button').nth(0).click();
    // The operations of the tab are known a little later; before, the cursor would select none.
    await page.locator('.graphiql-execute-button[aria-haspopup="menu"]').waitFor();
    await run(page, 'query MyPermissions');
    await answer(page, '"permissions_me"');
    await page.locator('.graphiql-tab-button').nth(1).click();
    const other = await textOf(page, 'headers');
    expect(other).toContain('Bearer ');
    expect(other).not.toBe(first);
  });

  it('has ended where it cannot be renewed, and the page says so', async () => {
    const page = await signedIn();
    await test.database.query('DELETE FROM service_sessions');
    await expire(page);
    await run(page, 'query MyPermissions');
    await answer(page, /TOKEN_EXPIRED|INVALID_CREDENTIALS/);
    await page.getByRole('alert').getByText('Your session has ended: sign in again.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
    await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`Signed in as ${TEST_ADMIN.email}`).waitFor();
    await run(page, 'query MyPermissions');
    await answer(page, '"permissions_me"');
  });

  it('is kept where the service cannot be reached for a while', async () => {
    const page = await signedIn();
    await expire(page);
    await page.route('**/graphql/system', (route) =>
      route.request().postData()?.includes('auth_refresh(refresh_token: $token')
        ? route.abort()
        : route.continue(),
    );
    await run(page, 'query MyPermissions');
    await answer(page, 'TOKEN_EXPIRED');
    await page.unroute('**/graphql/system');
    await run(page, 'query MyPermissions');
    await answer(page, '"permissions_me"');
    await page.getByText(`Signed in as ${TEST_ADMIN.email}`).waitFor();
  });

  it('is not renewed for a sign-in that is refused, which is sent once', async () => {
    const page = await signedIn();
    await page.getByText(`Signed in as ${TEST_ADMIN.email}`).waitFor();
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.method() === 'POST')));
    await run(page, 'mutation SignIn');
    await answer(page, 'INVALID_CREDENTIALS');
    await page.waitForLoadState('networkidle');
    expect(sent).toBe(1);
  });
});
