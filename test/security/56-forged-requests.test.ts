import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { Browser, restStatus, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const APP = 'https://app.example.org';
const PUBLIC_URL = 'https://api.example.org/doorward';
const NAME = 'Doorward, untouched';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { PUBLIC_URL, CORS_ORIGIN: `${APP},*` } });
});

afterAll(() => test.close());

type Headers = Readonly<Record<string, string>>;

/** `<here>`: the address that the request is sent to, as a browser names it. */
const here = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('<here>', test.url)]),
  );

async function browserIn(mode: 'cookie' | 'session'): Promise<Browser> {
  const browser = new Browser(test);
  const reply = await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode });
  expect(reply.status).toBe(200);
  return browser;
}

const sessions = async (): Promise<object[]> =>
  test.database.query('SELECT id, generation FROM service_sessions ORDER BY id');

const stored = async (): Promise<unknown> => {
  const [row] = await test.database.query('SELECT project_name FROM service_settings');
  return row?.['project_name'];
};

/** Headers that a browser adds to a request from a page that is allowed to send it, or from no page. */
const TRUSTED: readonly Headers[] = [
  {},
  { origin: '<here>' },
  { origin: '<here>', 'sec-fetch-site': 'same-origin' },
  { origin: 'https://api.example.org', 'sec-fetch-site': 'same-origin' },
  { origin: APP, 'sec-fetch-site': 'cross-site' },
  { origin: APP, 'sec-fetch-site': 'same-site' },
  { origin: APP },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
];

/** Headers for a page that is not allowed to. */
const FORGED: readonly Headers[] = [
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  // No browser sends this combination; it is refused as well.
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { origin: '<here>', 'sec-fetch-site': 'cross-site' },
  { origin: APP, 'sec-fetch-site': 'unheard-of' },
  { origin: 'null' },
  { origin: '' },
  { origin: '*' },
  { origin: '<here>.evil.example' },
  { origin: '<here>0' },
  { origin: `${APP}.evil.example` },
  { origin: `${APP}:8443` },
  { origin: APP.replace('https', 'http') },
  { origin: `${APP}, https://evil.example` },
  { origin: 'https://evil.app.example.org' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example', referer: `${APP}/` },
  { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  { origin: 'https://evil.example', 'x-forwarded-proto': 'https', 'x-requested-with': 'fetch' },
];

const graphql = (mutation: string): object => ({ query: `mutation { ${mutation} }` });

/** Requests with an effect, each authenticated only by cookie. */
const EFFECTS: readonly {
  readonly name: string;
  readonly mode: 'cookie' | 'session';
  readonly ask: readonly [method: string, path: string, body: object];
}[] = [
  {
    ...{ name: 'a change', mode: 'session' },
    ask: ['PATCH', '/settings', { project_name: 'changed' }],
  },
  {
    ...{ name: 'a change by GraphQL', mode: 'session' },
    ask: [
      'POST',
      '/graphql/system',
      graphql('update_settings(data: {project_name: "changed"}) { project_name }'),
    ],
  },
  { name: 'refreshing', mode: 'cookie', ask: ['POST', '/auth/refresh', { mode: 'cookie' }] },
  { name: 'refreshing a session', mode: 'session', ask: ['POST', '/auth/refresh', {}] },
  {
    ...{ name: 'refreshing by GraphQL', mode: 'cookie' },
    ask: ['POST', '/graphql/system', graphql('auth_refresh(mode: cookie) { expires }')],
  },
  { name: 'signing out', mode: 'session', ask: ['POST', '/auth/logout', { mode: 'session' }] },
  {
    ...{ name: 'signing out by GraphQL', mode: 'cookie' },
    ask: ['POST', '/graphql/system', graphql('auth_logout(mode: cookie)')],
  },
  {
    ...{ name: 'signing in with a cookie', mode: 'session' },
    ask: ['POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' }],
  },
];

describe.each(EFFECTS)('56: $name', ({ mode, ask: [method, path, body] }) => {
  beforeEach(async () => {
    await test.database.query('UPDATE service_settings SET project_name = $1', [NAME]);
  });

  it.each(TRUSTED)('is accepted for %j', async (headers) => {
    const browser = await browserIn(mode);
    const before = [await stored(), await sessions(), [...browser.cookies]];
    const reply = await browser.send(method, path, body, here(headers));
    expect(reply.codes).toEqual([]);
    expect([await stored(), await sessions(), [...browser.cookies]]).not.toEqual(before);
  });

  it.each(FORGED)('is refused for %j', async (headers) => {
    const browser = await browserIn(mode);
    const before = [await stored(), await sessions(), [...browser.cookies]];
    const reply = await browser.send(method, path, body, here(headers));
    const status = path.startsWith('/graphql') ? restStatus(reply) : reply.status;
    expect([status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
    expect([await stored(), await sessions(), [...browser.cookies]]).toEqual(before);
  });
});

describe('56: with cookies for a whole domain', () => {
  let shared: TestApp;

  beforeAll(async () => {
    const env = {
      PUBLIC_URL: 'https://api.example.org',
      COOKIE_DOMAIN: 'example.org',
      CORS_ORIGIN: APP,
    };
    shared = await startTestApp({ env: { ...env, COOKIE_SECURE: 'false', TRUST_PROXY: '1' } });
  });

  afterAll(() => shared.close());

  const EVIL = { host: 'evil.example.org', 'x-forwarded-proto': 'https' };
  const ASKED: readonly [Headers, number][] = [
    [{ ...EVIL, origin: 'https://evil.example.org' }, 403],
    [{ ...EVIL, origin: 'https://evil.example.org', 'sec-fetch-site': 'same-origin' }, 403],
    [{ ...EVIL, 'sec-fetch-site': 'same-origin' }, 403],
    [{ ...EVIL, 'sec-fetch-site': 'none' }, 403],
    [{ host: 'api.example.org', origin: 'https://api.example.org' }, 200],
    [{ host: 'API.example.org', 'sec-fetch-site': 'same-origin' }, 200],
    [{ host: 'app.example.org', 'sec-fetch-site': 'same-origin' }, 200],
    [{ host: 'app.example.org', origin: APP, 'sec-fetch-site': 'same-origin' }, 200],
    // Not a browser, but a server in the same network, which uses its internal name.
    [{ host: 'doorward:3000' }, 200],
  ];

  it.each(ASKED)('%j is answered with %i', async (headers, status) => {
    const browser = new Browser(shared);
    await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    // `fetch` does not allow another host.
    const request = send(`${shared.url}/users/me`, { headers: { ...headers, cookie } }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });
});
