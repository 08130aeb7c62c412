import type { Browser, Locator, Route } from 'playwright-core';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { describeInBrowser, launchBrowser, visit } from '../../support/chromium';
import { run, select, signIn, type } from '../../support/graphql-editor';
import { type Proxy, proxyBelow } from '../../support/proxy';
import { SampleModule } from '../../sample-extension/sample.module';

/** The editor stores its content shortly after the last key press. */
const STORED = `Object.values(localStorage).some((kept) => kept.includes('{ permissions_me }'))`;
const PATH = '/somewhere/door';

describeInBrowser('the GraphQL editor in a browser', () => {
  let test: TestApp;
  let proxy: Proxy;
  let browser: Browser;

  beforeAll(async () => {
    test = await startTestApp({ imports: [SampleModule] });
    proxy = await proxyBelow(PATH, test.url);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await test.close();
  });

  it('signs in, runs a query and a mutation of its examples, and contacts no other host', async () => {
    const { page, faults } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await select(page, 'query MyPermissions');
    expect(await run(page)).toContain('FORBIDDEN');
    await signIn(page);
    await select(page, 'mutation CreateRule {');
    expect(await run(page)).toContain('"create_permissions_item":{"id":"1"');
    await page.locator('.result-window').getByText('"create_permissions_item"').waitFor();
    await select(page, 'query ListRules');
    expect(await run(page)).toContain('"collection":"service_users"');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await select(page, 'query ListRules');
    expect(await run(page)).toContain('FORBIDDEN');
    expect(faults).toEqual([]);
  });

  it('shows the reason if a sign-in is refused', async () => {
    const { page, faults } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await page.getByRole('button', { name: 'Show Sign in' }).click();
    await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toBe('Invalid credentials.');
    expect(faults).toEqual([]);
  });

  it('signs in once, however often the button is pressed', async () => {
    const { page, addresses } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await page.getByRole('button', { name: 'Show Sign in' }).click();
    await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
    // The editor has read the schema by now.
    await page.waitForLoadState('networkidle');
    const before = addresses.length;
    await page.getByRole('button', { name: 'Sign in', exact: true }).dblclick();
    await page.getByText(`Signed in as ${TEST_ADMIN.email}`).waitFor();
    const sent = addresses.slice(before).filter((address) => address.endsWith('/graphql/system'));
    expect(sent).toHaveLength(1);
  });

  it.each<[string, (route: Route) => Promise<void>]>([
    ['no connection', (route) => route.abort()],
    [
      'the page of a proxy',
      (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
    ],
  ])('says in words that the service cannot be reached: %s', async (_, fail) => {
    const { page } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await page.getByRole('button', { name: 'Show Sign in' }).click();
    await page.getByLabel('E-mail').fill(TEST_ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN.password);
    await page.route('**/graphql/system', fail);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
  });

  it('signs in for the open tab and new ones, and says so', async () => {
    const { page, faults } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await select(page, 'query MyPermissions');
    await signIn(page);
    await page.getByText('The token is under «Headers» of this tab, and of new ones.').waitFor();
    await page.getByRole('button', { name: 'Add tab' }).click();
    await page.locator('.graphiql-tab').nth(1).waitFor();
    await page.locator('.graphiql-execute-button[aria-haspopup="menu"]').waitFor();
    await type(page, '{ permissions_me }');
    // Until it knows of the one operation, the editor would send the name of one that it had before.
    await page.locator('.graphiql-execute-button:not([aria-haspopup])').waitFor();
    expect(await run(page)).toContain('"service_users"');
    expect(faults).toEqual([]);
  });

  it('shows the whole form for signing in, also in a narrow window', async () => {
    const { page } = await visit(browser, [test.url]);
    await page.setViewportSize({ width: 380, height: 700 });
    await page.goto('/graphql/system');
    await page.getByRole('button', { name: 'Show Sign in' }).click();
    const end = async (what: Locator): Promise<number> => {
      const box = await what.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    const panel = await end(page.locator('.graphiql-plugin'));
    for (const name of ['E-mail', 'Password', /^One-time/]) {
      expect(await end(page.getByLabel(name, { exact: true }))).toBeLessThanOrEqual(panel);
    }
  });

  it('explains the schema, completes, and stores headers only if that is enabled', async () => {
    const { page, faults } = await visit(browser, [test.url]);
    await page.goto('/graphql/system');
    await signIn(page);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query' }).click();
    await page.getByRole('link', { name: 'permissions_by_id' }).waitFor();
    await type(page, '{ permissions(sort: ["id"]) { ');
    await page.keyboard.type('acti');
    await page.locator('.CodeMirror-hints').getByText('action').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    await page.getByRole('button', { name: 'On', exact: true }).click();
    await page.keyboard.press('Escape');
    await type(page, '{ permissions_me }');
    while (!(await page.evaluate(STORED))) await page.waitForTimeout(100);
    await page.reload();
    await page.locator('.graphiql-query-editor').getByText('permissions_me').waitFor();
    await select(page, 'permissions_me');
    expect(await run(page)).toContain('"service_users"');
    expect(faults).toEqual([]);
  });

  it('shows the schema even if the browser still has the cookie of an ended session', async () => {
    const { page, context } = await visit(browser, [test.url]);
    const data = { ...TEST_ADMIN, mode: 'session' };
    expect((await context.request.post('/auth/login', { data })).status()).toBe(200);
    await test.database.query('DELETE FROM service_sessions');
    await page.goto('/graphql/system');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Root Types').waitFor();
    await signIn(page);
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Root Types').waitFor();
    expect(await page.getByText('Error fetching schema').count()).toBe(0);
  });

  it('reaches /graphql below a path of a proxy, and signs in there', async () => {
    const { page, faults, addresses } = await visit(browser, [proxy.url]);
    await page.goto(`${PATH}/graphql`);
    await signIn(page);
    await select(page, 'query List');
    expect(await run(page)).toContain('"articles":[]');
    for (const address of addresses) expect(address).toContain(`${proxy.url}${PATH}/`);
    expect(faults).toEqual([]);
  });
});
