import {
  FakeProvider,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  startTestApp,
  type TestApp,
} from '../support';

const BASE = `${PUBLIC_URL}/app`;

let provider: FakeProvider;
let test: TestApp;

beforeAll(async () => {
  provider = await FakeProvider.start();
  const list = { REDIRECT_ALLOW_LIST: 'https://shop.example/account, http://localhost:8080' };
  test = await startTestApp({
    env: {
      ...{ PUBLIC_URL: BASE, AUTH_PROVIDERS: 'acme,listed' },
      ...{ ...providerEnv(provider), ...providerEnv(provider, list, 'listed') },
    },
  });
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

const ALLOWED: readonly (readonly [string, string, string])[] = [
  ['acme', `${BASE}/admin`, `${BASE}/admin`],
  ['acme', BASE, BASE],
  ['acme', '/app/admin?page=2#top', `${BASE}/admin?page=2#top`],
  ['listed', 'https://shop.example/account', 'https://shop.example/account'],
  ['listed', 'https://shop.example/account/orders?x=1', 'https://shop.example/account/orders?x=1'],
  ['listed', 'http://localhost:8080/any', 'http://localhost:8080/any'],
  ['listed', `${BASE}/admin`, `${BASE}/admin`],
];

const REFUSED: readonly string[] = [
  'https://evil.example',
  'https://doorward.example.evil/app',
  'https://doorward.example@evil.example/app',
  'https://evil.example\\@doorward.example/app',
  'https://doorward.example:8443/app',
  'http://doorward.example/app',
  'https://doorward.example/',
  'https://doorward.example/application',
  'https://doorward.example/app/../admin',
  'https://doorward.example/app/%2e%2e/admin',
  'https://doorward.example/app/..%2fadmin',
  '/admin',
  '/app/../admin',
  '//evil.example/app',
  '///evil.example/app',
  '/\\evil.example/app',
  '/\t/evil.example/app',
  '\\\\evil.example/app',
  'https:evil.example',
  'https:/evil.example',
  'javascript:alert(1)//https://doorward.example/app',
  'data:text/html,x',
  'app',
  ' https://evil.example',
  'https://doorward.example/app\r\nSet-Cookie: a=b',
  `${BASE}/${'x'.repeat(1_000)}`,
  'https://shop.example/accounts',
  'https://shop.example/',
  'http://localhost:80801/any',
  'http://localhost/any',
];

const leave = (name: string, redirect: string) =>
  new ProviderVisit(test, name).go(
    `${PUBLIC_URL}/auth/login/${name}?redirect=${encodeURIComponent(redirect)}`,
  );

/** The browser reaches the service below a path, the test reaches it by its port. */
async function land(name: string, redirect: string): Promise<string> {
  provider.person = { sub: 'nobody', email: 'nobody@example.com', email_verified: true };
  const visit = new ProviderVisit(test, name);
  const { location } = await visit.authorize(redirect);
  const back = (await visit.consent(location)).replace(BASE, PUBLIC_URL);
  return (await visit.go(back)).location;
}

describe('53: where a sign-in leads', () => {
  it.each(ALLOWED)('%s may lead to %s', async (name, redirect, expected) => {
    const landed = new URL(await land(name, redirect));
    expect(landed.searchParams.get('reason')).toBe('INVALID_CREDENTIALS');
    landed.searchParams.delete('reason');
    expect(landed.href).toBe(new URL(expected).href);
  });

  it.each(REFUSED)('%s is refused, before the browser leaves', async (redirect) => {
    for (const name of ['acme', 'listed']) {
      const step = await leave(name, redirect);
      expect(step).toEqual({ status: 400, location: '', codes: ['INVALID_PAYLOAD'] });
    }
  });

  it.each([
    ['redirect[]=x', 'INVALID_PAYLOAD'],
    ['redirect[a]=x', 'INVALID_PAYLOAD'],
    ['redirect=', 'INVALID_PAYLOAD'],
    ['redirect=/app&redirect=/app', 'INVALID_PAYLOAD'],
    // An unknown parameter, refused as on every other route.
    ['next=/app', 'INVALID_QUERY'],
  ])('%s is refused as %s', async (query, code) => {
    const step = await new ProviderVisit(test).go(`${PUBLIC_URL}/auth/login/acme?${query}`);
    expect(step).toEqual({ status: 400, location: '', codes: [code] });
  });

  it('a list applies to its provider alone', async () => {
    const step = await leave('acme', 'https://shop.example/account');
    expect(step.codes).toEqual(['INVALID_PAYLOAD']);
  });

  it('the provider gets the same address whatever host a request names', async () => {
    const visit = new ProviderVisit(test);
    const response = await visit.browser.fetch(`${test.url}/auth/login/acme`, {
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    });
    await response.text();
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe(`${BASE}/auth/login/acme/callback`);
    expect(visit.browser.attributes.get('service_sign_in')).toMatchObject({
      path: '/app/auth/login/acme',
    });
  });
});
