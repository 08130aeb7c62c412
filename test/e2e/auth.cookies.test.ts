import { SessionTokens } from '../../src/auth/sessions/session-tokens';
import {
  AUTH_TRANSPORTS,
  Browser,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const REFRESH = 'service_refresh_token';
const SESSION = 'service_session_token';
const ME = '/users/me?fields=email';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: { REFRESH_TOKEN_TTL: '3d', SESSION_TTL: '2h' } });
});

afterAll(() => test.close());

async function browserIn(mode: 'cookie' | 'session', app = test): Promise<Browser> {
  const browser = new Browser(app);
  const reply = await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode });
  expect(reply.status).toBe(200);
  return browser;
}

it.each(['/auth/refresh', '/auth/logout'])(
  '%s without a cookie or a body names what is missing',
  async (path) => {
    const reply = await new Browser(test).send('POST', path);
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(reply.text).toContain('refresh_token');
  },
);

describe.each(AUTH_TRANSPORTS)('$name: a cookie', (transport) => {
  it.each([
    ['cookie', REFRESH, 3 * 86_400],
    ['session', SESSION, 2 * 3_600],
  ])(
    'of %s mode is sent to our host alone, and no script can read it',
    async (mode, name, seconds) => {
      const browser = new Browser(test);
      await transport.run(browser, 'login', { ...TEST_ADMIN, mode });
      const expected = { path: '/', httponly: true, samesite: 'Lax', 'max-age': String(seconds) };
      expect(browser.attributes.get(name)).toEqual({ ...expected, expires: expect.any(String) });
      await transport.run(browser, 'refresh', { mode });
      expect(browser.attributes.get(name)).toMatchObject(expected);
      await transport.run(browser, 'logout', { mode });
      expect(browser.attributes.get(name)).toMatchObject({ path: '/', httponly: true });
      expect(browser.cookies.size).toBe(0);
    },
  );

  it('has the attributes that are configured, also when it is deleted', async () => {
    const env = { COOKIE_SECURE: 'true', COOKIE_SAME_SITE: 'none', COOKIE_DOMAIN: 'example.com' };
    const other = await startTestApp({ env });
    const configured = { secure: true, samesite: 'None', domain: 'example.com', path: '/' };
    for (const [mode, name] of Object.entries({ cookie: REFRESH, session: SESSION })) {
      const browser = new Browser(other);
      await transport.run(browser, 'login', { ...TEST_ADMIN, mode });
      expect(browser.attributes.get(name)).toMatchObject(configured);
      await transport.run(browser, 'logout', { mode });
      expect(browser.attributes.get(name)).toMatchObject(configured);
    }
    await other.close();
  });

  it.each(['stale', 'nonsense'])(
    'that is %s does not stop anyone from signing in',
    async (kind) => {
      for (const mode of ['json', 'cookie', 'session']) {
        const browser = new Browser(test);
        browser.cookies.set(SESSION, kind === 'stale' ? expired() : 'nonsense');
        browser.cookies.set(REFRESH, 'nonsense');
        const { codes } = await transport.run(browser, 'login', { ...TEST_ADMIN, mode });
        expect([mode, codes]).toEqual([mode, []]);
      }
    },
  );

  it.each([
    ['cookie', REFRESH],
    ['session', SESSION],
  ])(
    'of %s mode that is invalid or expired refreshes nothing, and is removed by signing out',
    async (mode, name) => {
      const browser = new Browser(test);
      for (const value of [
        'nonsense',
        expired(),
        '%00',
        'j:{"a":1}',
        '"quoted"',
        'x'.repeat(4000),
      ]) {
        browser.cookies.set(name, value);
        const refreshed = await transport.run(browser, 'refresh', { mode });
        expect([refreshed.status, refreshed.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
        expect((await transport.run(browser, 'logout', { mode })).codes).toEqual([]);
        expect(browser.cookies.size).toBe(0);
      }
    },
  );
});

describe.each([
  ['cookie', REFRESH],
  ['session', SESSION],
] as const)('by the cookie of %s mode alone', (mode, name) => {
  it.each<[string, Record<string, string>, number]>([
    ['from one of our own pages', { 'sec-fetch-site': 'same-origin' }, 200],
    ['by a program that sends JSON', { 'content-type': 'application/json' }, 200],
    ['by something that may be an HTML form', {}, 403],
    ['from a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('refreshing needs no body: %s', async (_, headers, status) => {
    const browser = await browserIn(mode);
    const held = browser.cookies.get(name);
    const reply = await browser.send('POST', '/auth/refresh', undefined, headers);
    expect(reply.status).toBe(status);
    expect(browser.cookies.get(name) === held).toBe(status !== 200);
    const out = await browser.send('POST', '/auth/logout', undefined, headers);
    expect(out.status).toBe(status === 200 ? 204 : status);
  });

  it('a body that is not an object is still refused', async () => {
    const browser = await browserIn(mode);
    for (const body of ['null', '[]', '""'])
      expect((await browser.send('POST', '/auth/refresh', body)).status).toBe(400);
  });
});

it('a refresh without a body and a cookie is refused', async () => {
  const reply = await new Browser(test).send('POST', '/auth/refresh', undefined, {
    'content-type': 'application/json',
  });
  expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
});

describe('the session cookie', () => {
  it('is accepted where no token is sent, over REST and GraphQL', async () => {
    const browser = await browserIn('session');
    expect((await browser.send('GET', ME)).data).toEqual({ email: TEST_ADMIN.email });
    const query = '{ users_me { email } }';
    const { data } = await browser.send('POST', '/graphql/system', { query });
    expect(data).toEqual({ users_me: { email: TEST_ADMIN.email } });
  });

  it('is the first of several of its name, which has the most specific path', async () => {
    const token = (await browserIn('session')).cookies.get(SESSION) ?? '';
    const shown = async (...values: string[]): Promise<number> => {
      const cookie = values.map((value) => `${SESSION}=${value}`).join('; ');
      const headers = { cookie, origin: new URL(test.url).origin };
      const answer = await fetch(`${test.url}${ME}`, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await shown(token, 'nonsense')).toBe(200);
    expect(await shown('nonsense', token)).toBe(401);
  });

  it('is ignored if a bearer token is sent, valid or not', async () => {
    const admin = await browserIn('session');
    const { access_token } = await signIn(test, await newUser(admin));
    const shown = (token: string): Promise<Reply> =>
      admin.send('GET', ME, undefined, { authorization: `Bearer ${token}` });
    expect((await shown(access_token)).data).toEqual({ email: 'plain@example.com' });
    expect((await shown('not.a.token')).codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it('that is invalid or expired is refused, except on routes that need no caller', async () => {
    const browser = new Browser(test);
    for (const [value, code] of [
      ['nonsense', 'INVALID_CREDENTIALS'],
      ['', 'INVALID_CREDENTIALS'],
      [expired(), 'TOKEN_EXPIRED'],
    ] as const) {
      browser.cookies.set(SESSION, value);
      const reply = await browser.send('GET', ME);
      expect([reply.status, reply.codes]).toEqual([401, [code]]);
      expect((await browser.send('GET', '/server/ping')).text).toBe('pong');
      const query = '{ permissions_me }';
      const asked = await browser.send('POST', '/graphql/system', { query });
      expect([asked.status, asked.codes]).toEqual([401, [code]]);
    }
  });

  it('is invalid as soon as its user signs out', async () => {
    const browser = await browserIn('session');
    const kept = new Map(browser.cookies);
    await browser.send('GET', ME);
    await browser.send('POST', '/auth/logout', { mode: 'session' });
    expect((await browser.send('GET', ME)).status).toBe(401);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.send('GET', ME)).codes).toEqual(['INVALID_CREDENTIALS']);
    const refreshed = await browser.send('POST', '/auth/refresh', { mode: 'session' });
    expect(refreshed.codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it('is removed by signing out, even if the token in the body is invalid', async () => {
    const browser = await browserIn('session');
    const body = { refresh_token: 'nonsense', mode: 'session' };
    const kept = new Map(browser.cookies);
    expect((await browser.send('POST', '/auth/logout', body)).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.send('GET', ME)).status).toBe(401);
  });

  it('lives no longer in the database than in the browser', async () => {
    await test.database.query('DELETE FROM service_sessions');
    const browser = await browserIn('session');
    for (const turn of ['begun', 'refreshed']) {
      const [row] = await test.database.query(
        `SELECT expires_at - now() BETWEEN '1 h 59 min' AND '2 h' AS fits FROM service_sessions`,
      );
      expect([turn, row]).toEqual([turn, { fits: true }]);
      await browser.send('POST', '/auth/refresh', { mode: 'session' });
    }
  });

  it('that was rotated ends the session when it is used again later', async () => {
    const browser = await browserIn('session');
    const old = browser.cookies.get(SESSION) ?? '';
    await browser.send('POST', '/auth/refresh', { mode: 'session' });
    const thief = new Browser(test);
    thief.cookies.set(SESSION, old);
    expect((await thief.send('POST', '/auth/refresh', { mode: 'session' })).status).toBe(200);
    await pass(11);
    thief.cookies.set(SESSION, old);
    expect((await thief.send('POST', '/auth/refresh', { mode: 'session' })).status).toBe(401);
    expect((await browser.send('GET', ME)).status).toBe(401);
  });
});

/** Moves the rotations of all sessions so many seconds into the past. */
async function pass(seconds: number): Promise<void> {
  await test.database.query(
    `UPDATE service_sessions SET rotations =
       ARRAY(SELECT at - $1::int4 * interval '1 second' FROM unnest(rotations) at)`,
    [seconds],
  );
}

async function newUser(admin: Browser): Promise<{ email: string; password: string }> {
  const user = { email: 'plain@example.com', password: 'long-enough-for-anyone' };
  expect((await admin.send('POST', '/users', user)).status).toBe(200);
  return user;
}

/** A token that we signed and that has expired, for a session that does not exist. */
function expired(): string {
  const [user, session] = [
    '00000000-0000-4000-8000-000000000000',
    '00000000-0000-4000-8000-0000000000aa',
  ];
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 86_400_000);
  const made = test.app.get(SessionTokens).issue(user, session, 0);
  clock.mockRestore();
  return made;
}
