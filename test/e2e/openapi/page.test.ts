import type { Browser } from 'playwright-core';
import { startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { describeInBrowser, launchBrowser, visit } from '../../support/chromium';
import { type Proxy, proxyBelow } from '../../support/proxy';
import { SampleModule } from '../../sample-extension/sample.module';

describeInBrowser('the page /docs', () => {
  let test: TestApp;
  let proxy: Proxy;
  let browser: Browser;

  beforeAll(async () => {
    test = await startTestApp({ imports: [SampleModule] });
    proxy = await proxyBelow('/somewhere/door', test.url);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await test.close();
  });

  it('tries calls below a path of a proxy', async () => {
    const { page, faults, addresses } = await visit(browser, [proxy.url]);
    await page.goto('/somewhere/door/docs');
    await page.click('#operations-tag-server');
    const ping = page.locator('#operations-server-get_server_ping');
    await ping.locator('.opblock-summary').click();
    await ping.locator('.try-out__btn').click();
    await ping.locator('.execute').click();
    const answer = ping.locator('.live-responses-table tr.response');
    await answer.waitFor();
    expect(await answer.textContent()).toContain('pong');
    expect(addresses.at(-1)).toBe(`${proxy.url}/somewhere/door/server/ping`);
    expect(faults).toEqual([]);
  });

  it('tries calls, and shows signed-in users their own document', async () => {
    const { page, faults, addresses } = await visit(browser, [test.url]);
    await page.goto('/docs');
    await page.click('#operations-tag-auth');
    await page.click('#operations-auth-post_auth_login .opblock-summary');
    const collection = page.locator('#operations-tag-articles');
    expect(await collection.count()).toBe(0);
    const login = page.locator('#operations-auth-post_auth_login');
    await login.locator('.try-out__btn').click();
    await login.locator('textarea').fill(JSON.stringify(TEST_ADMIN));
    await login.locator('.execute').click();
    const status = login.locator('.live-responses-table tr.response .response-col_status');
    await status.waitFor();
    expect(await status.textContent()).toContain('200');
    await collection.waitFor();
    await collection.click();
    const list = page.locator('#operations-articles-get_items_articles');
    await list.locator('.opblock-summary').click();
    await list.locator('.try-out__btn').click();
    await list.locator('input[placeholder=filter]').fill('{"title": {"_eq": "x"}}');
    await list.locator('.execute').click();
    const listed = list.locator('.live-responses-table tr.response .response-col_status');
    await listed.waitFor();
    expect(await listed.textContent()).toContain('200');
    expect(addresses.at(-1)).toContain('/items/articles?filter=%7B%22title');
    expect(faults).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(test.url))).toEqual([]);
  });

  it('opens and allows signing in even if the browser still has the cookie of an ended session', async () => {
    const { page, context } = await visit(browser, [test.url]);
    const data = { ...TEST_ADMIN, mode: 'session' };
    expect((await context.request.post('/auth/login', { data })).status()).toBe(200);
    await test.database.query('DELETE FROM service_sessions');
    await page.goto('/docs');
    await page.locator('#operations-tag-server').waitFor();
    expect(await page.locator('.errors-wrapper').count()).toBe(0);
    expect(await page.getByRole('alert').textContent()).toBe('');
    expect(await page.locator('.scheme-container button.authorize').count()).toBe(1);
  });

  it('reports an invalid token, and asks for another one', async () => {
    const { page } = await visit(browser, [test.url]);
    await page.goto('/docs');
    await page.locator('.scheme-container button.authorize').click();
    await page.locator('.auth-container input').first().fill('garbage');
    await page.locator('.auth-container button.authorize').first().click();
    await page.getByText('The token was not accepted').waitFor();
    await page.locator('.auth-container input').first().waitFor();
    expect(await page.locator('.scheme-container button.authorize').count()).toBeGreaterThan(0);
    expect(await page.locator('#operations-tag-server').count()).toBe(1);
  });
});
