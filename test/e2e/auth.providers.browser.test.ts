import type { Browser, BrowserContext, Cookie, Page } from 'playwright-core';
import {
  as,
  freePort,
  OIDC_CLIENT,
  type OidcProvider,
  signIn,
  startOidcProvider,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';
import { describeInBrowser, launchBrowser } from '../support/chromium';

let provider: OidcProvider;
let test: TestApp;
let admin: TestClient;
let browser: Browser;

async function start(): Promise<void> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  provider = await startOidcProvider(`${publicUrl}/auth/login/acme/callback`);
  test = await startTestApp({
    env: {
      ...{ PORT: String(port), PUBLIC_URL: publicUrl, AUTH_PROVIDERS: 'acme' },
      ...{ AUTH_ACME_ISSUER_URL: provider.issuer, AUTH_ACME_CLIENT_ID: OIDC_CLIENT.id },
      ...{ AUTH_ACME_CLIENT_SECRET: OIDC_CLIENT.secret },
    },
  });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  browser = await launchBrowser();
}

/** Goes to the provider and signs in there with this name. */
async function signInAs(name: string, context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${test.url}/auth/login/acme?redirect=${encodeURIComponent('/server/ping')}`);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.waitForURL(`${test.url}/**`);
  return page;
}

describeInBrowser('a browser that signs in at a provider', () => {
  beforeAll(start);

  afterAll(async () => {
    await browser.close();
    await test.close();
    await provider.close();
  });

  /** By navigation, since a page that shows JSON may not fetch anything. */
  const me = async (page: Page): Promise<unknown> =>
    (await page.goto(`${test.url}/users/me?fields=email`))?.json();

  /** Without those of the provider, which has the same host: cookies ignore ports. */
  const cookiesOf = async (context: BrowserContext): Promise<Cookie[]> =>
    (await context.cookies(test.url)).filter(({ name }) => name.startsWith('service_'));

  it('signs in to a session cookie that no script can read', async () => {
    const user = { provider: 'acme', external_identifier: 'ann', email: 'ann@example.com' };
    expect((await admin.post('/users', user)).status).toBe(200);
    const context = await browser.newContext();
    const page = await signInAs('ann', context);
    expect(page.url()).toBe(`${test.url}/server/ping`);
    expect(await me(page)).toEqual({ data: { email: 'ann@example.com' } });
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await cookiesOf(context)).toMatchObject([
      { name: 'service_session_token', httpOnly: true, sameSite: 'Lax', path: '/' },
    ]);
    await context.close();
  });

  it.each([
    ['eve', 'who has no account here'],
    ['unverified', 'whose e-mail is not verified'],
  ])('%s, %s, comes back with the reason', async (name) => {
    const context = await browser.newContext();
    const page = await signInAs(name, context);
    expect(page.url()).toBe(`${test.url}/server/ping?reason=INVALID_CREDENTIALS`);
    expect(await cookiesOf(context)).toEqual([]);
    await context.close();
  });

  it('is refused at a callback address that was used already', async () => {
    const context = await browser.newContext();
    const addresses: string[] = [];
    context.on('request', (request) => void addresses.push(request.url()));
    const page = await signInAs('ann', context);
    const callback = addresses.find((url) => url.includes('/callback?')) ?? '';
    await context.clearCookies();
    await page.goto(callback);
    expect(page.url()).toBe(`${test.url}/admin/login?reason=INVALID_TOKEN`);
    await context.close();
  });
});
