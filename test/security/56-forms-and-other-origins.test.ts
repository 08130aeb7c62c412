import { Controller, Get, Module } from '@nestjs/common';
import { type Caller, CurrentCaller, Public } from 'doorward';
import { as, Browser, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const APP = 'https://app.example.org';
const EVIL = 'https://evil.example';
const FORM = 'application/x-www-form-urlencoded';

@Controller('greeting')
class GreetingController {
  @Public()
  @Get()
  greet(@CurrentCaller() { user }: Caller): object {
    return { isSignedIn: user !== null };
  }
}

@Module({ controllers: [GreetingController] })
class GreetingModule {}

let test: TestApp;
let browser: Browser;

beforeAll(async () => {
  test = await startTestApp({ imports: [GreetingModule], env: { CORS_ORIGIN: APP } });
});

afterAll(() => test.close());

beforeEach(async () => {
  browser = new Browser(test);
  const reply = await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
  expect(reply.status).toBe(200);
});

const isSignedIn = async (): Promise<boolean> =>
  (await browser.send('GET', '/users/me')).status === 200;

const roles = async (): Promise<unknown[]> =>
  (await test.database.query('SELECT id FROM service_roles ORDER BY id')).map(({ id }) => id);

type Sent = readonly Record<string, string>[];

const FOREIGN: Sent = [{ origin: EVIL }, { 'sec-fetch-site': 'cross-site' }];
const DISGUISED: Sent = [
  {},
  { 'x-http-method-override': 'POST', 'x-method-override': 'POST' },
  { 'content-type': 'application/json', 'apollo-require-preflight': 'yes', accept: '*/*' },
];

describe('56: what another site’s page can send without permission, from a browser that sends no origin,', () => {
  it.each([
    ['text/plain', '{"mode":"session"}'],
    ['text/plain; application/json', '{"mode":"session"}'],
    ['application/jsonp', '{"mode":"session"}'],
    [FORM, 'mode=session'],
    [FORM, '{"mode":"session","a":"=b"}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="mode"\r\n\r\nsession\r\n--x--',
    ],
  ])('is of type %s and signs no one out: %s', async (type, body) => {
    const reply = await browser.send('POST', '/auth/logout', body, { 'content-type': type });
    expect([reply.status, reply.codes]).toEqual([415, ['UNSUPPORTED_MEDIA_TYPE']]);
    const query = JSON.stringify({ query: 'mutation { auth_logout(mode: session) }' });
    const asked = await browser.send('POST', '/graphql/system', query, { 'content-type': type });
    expect(asked.status).toBe(415);
    expect(await isSignedIn()).toBe(true);
  });

  it.each(['', FORM, 'text/plain'])(
    'has no effect if it is empty and of type «%s»',
    async (type) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      const before = await roles();
      for (const path of ['/auth/logout', '/auth/refresh', '/graphql/system']) {
        const { status } = await browser.send('POST', path, undefined, headers);
        expect([path, [400, 403].includes(status)]).toEqual([path, true]);
      }
      const role = `/roles/${String(before[0])}`;
      expect((await browser.send('DELETE', role, undefined, headers)).status).toBe(403);
      expect([await isSignedIn(), await roles()]).toEqual([true, before]);
    },
  );

  it.each([
    '/auth/logout',
    '/auth/logout?mode=session',
    '/auth/refresh?mode=session',
    `/graphql/system?query=${encodeURIComponent('mutation { auth_logout(mode: session) }')}`,
    `/graphql/system?query=${encodeURIComponent('mutation { auth_refresh(mode: session) { expires } }')}`,
  ])('is a GET without effect: %s', async (path) => {
    const held = new Map(browser.cookies);
    for (const headers of DISGUISED) {
      const { status } = await browser.send('GET', path, undefined, headers);
      expect(status).toBeGreaterThanOrEqual(400);
      await browser.send('HEAD', path, undefined, headers);
    }
    expect([browser.cookies, await isSignedIn()]).toEqual([held, true]);
  });
});

describe('56: a page of another origin', () => {
  it('reads nothing by cookie', async () => {
    for (const headers of FOREIGN) {
      const reply = await browser.send('GET', '/users/me', undefined, headers);
      expect([reply.status, reply.text.includes(TEST_ADMIN.email)]).toEqual([403, false]);
      const query = '{ users_me { email } }';
      const asked = await browser.send('POST', '/graphql/system', { query }, headers);
      expect([asked.status, asked.text.includes(TEST_ADMIN.email)]).toEqual([403, false]);
    }
  });

  it('is treated as not signed in where that suffices, and may sign in for its own tokens', async () => {
    const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site' };
    expect((await browser.send('GET', '/server/ping', undefined, headers)).text).toBe('pong');
    const greeted = (sent?: Record<string, string>) =>
      browser.send('GET', '/greeting', undefined, sent);
    expect((await greeted()).body).toEqual({ isSignedIn: true });
    expect((await greeted(headers)).body).toEqual({ isSignedIn: false });
    const reply = await browser.send('POST', '/auth/login', TEST_ADMIN, headers);
    expect(reply.status).toBe(200);
    expect(await isSignedIn()).toBe(true);
  });

  it('may send a token, like any client that has one', async () => {
    const { access_token, refresh_token } = await signIn(test, TEST_ADMIN);
    const client = as(test, access_token);
    const headers = { origin: EVIL, 'sec-fetch-site': 'cross-site' };
    expect((await client.send('GET', '/users/me', undefined, headers)).status).toBe(200);
    const body = { refresh_token, mode: 'json' };
    expect((await client.send('POST', '/auth/refresh', body, headers)).status).toBe(200);
  });
});

describe('56: the answer to another origin', () => {
  const ask = async (app: TestApp, method: string, origin: string): Promise<Headers> => {
    const preflight = { 'access-control-request-method': 'PATCH' };
    const response = await fetch(`${app.url}/server/ping`, {
      method,
      headers: { origin, ...(method === 'OPTIONS' && preflight) },
    });
    return response.headers;
  };

  it.each(['GET', 'OPTIONS'])('names the origin only if it is listed (%s)', async (method) => {
    const listed = await ask(test, method, APP);
    expect(listed.get('access-control-allow-origin')).toBe(APP);
    expect(listed.get('access-control-allow-credentials')).toBe('true');
    expect(listed.get('vary')?.toLowerCase()).toContain('origin');
    for (const origin of [EVIL, 'null', `${APP}.evil.example`, APP.toUpperCase(), `${APP}:444`]) {
      expect((await ask(test, method, origin)).get('access-control-allow-origin')).toBeNull();
    }
  });

  it('names the origin on every refusal too', async () => {
    const requests: [path: string, init: RequestInit, type: string][] = [
      ['/auth/login', { method: 'POST', body: 'x' }, 'text/plain'],
      ['/auth/login', { method: 'POST', body: '{' }, 'application/json'],
      ['/users', { method: 'PUT' }, 'application/json'],
      ['/users/no/such/route', {}, 'text/plain'],
      ['/graphql/x', {}, 'text/plain'],
    ];
    for (const [path, init, type] of requests) {
      const headers = { 'content-type': type, origin: APP };
      const response = await fetch(test.url + path, { ...init, headers });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, APP]);
    }
  });

  it.each(['GET', 'OPTIONS'])('has no CORS headers if no origin is listed (%s)', async (method) => {
    const other = await startTestApp();
    const headers = await ask(other, method, APP);
    for (const name of headers.keys()) expect(name).not.toMatch(/^access-control-/);
    await other.close();
  });

  it.each(['GET', 'OPTIONS'])(
    'allows any origin, but never cookies, if any origin may call (%s)',
    async (method) => {
      const other = await startTestApp({ env: { CORS_ORIGIN: '*' } });
      const headers = await ask(other, method, EVIL);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      await other.close();
    },
  );
});
