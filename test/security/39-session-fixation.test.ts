import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  codeOf,
  enableTfa,
  signIn as signInAs,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const REFRESH = 'service_refresh_token';
const SESSION = 'service_session_token';
const ATTACKER = { email: 'mallory@example.com', password: 'long-enough-for-anyone' };

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
  const admin = new Browser(test);
  await admin.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
  expect((await admin.send('POST', '/users', ATTACKER)).status).toBe(200);
});

afterAll(() => test.close());

const sessions = async (): Promise<unknown[]> =>
  (await test.database.query('SELECT id FROM service_sessions')).map(({ id }) => id);

const whoIs = async (browser: Browser): Promise<unknown> =>
  (await browser.send('GET', '/users/me?fields=email')).data['email'];

describe.each(AUTH_TRANSPORTS)('39: signing in by $name', (transport) => {
  const signIn = (browser: Browser, mode: string, caller: object = TEST_ADMIN) =>
    transport.run(browser, 'login', { ...caller, mode });

  it.each(['json', 'cookie', 'session'])(
    'in %s mode starts a new session each time',
    async (mode) => {
      const browser = new Browser(test);
      const seen = new Set(await sessions());
      for (let turn = 0; turn < 3; turn += 1) {
        await signIn(browser, mode);
        const fresh = (await sessions()).filter((id) => !seen.has(id));
        expect(fresh).toHaveLength(1);
        for (const id of fresh) seen.add(id);
      }
    },
  );

  it('does not sign the attacker in, whose cookie the victim was given', async () => {
    const attacker = new Browser(test);
    await signIn(attacker, 'session', ATTACKER);
    const planted = attacker.cookies.get(SESSION) ?? '';
    const victim = new Browser(test);
    victim.cookies.set(SESSION, planted);
    await signIn(victim, 'session');
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect(await whoIs(victim)).toBe(TEST_ADMIN.email);
    // The browser's previous session has ended, since nobody could sign out of it any more.
    expect(await whoIs(attacker)).toBeUndefined();
  });

  it.each(['session', 'cookie'])(
    'in %s mode takes over nothing from made-up cookies',
    async (mode) => {
      const victim = new Browser(test);
      const [id] = await sessions();
      victim.cookies.set(SESSION, String(id));
      victim.cookies.set(REFRESH, `${String(id)}.0.${'A'.repeat(43)}`);
      const before = await sessions();
      await signIn(victim, mode);
      expect(await sessions()).toEqual(expect.arrayContaining(before));
      expect([...victim.cookies.keys()]).toEqual([mode === 'session' ? SESSION : REFRESH]);
      for (const value of victim.cookies.values()) expect(value).not.toContain(id);
    },
  );

  it('with a second factor starts a new session too, and only once the code is given', async () => {
    const attacker = new Browser(test);
    await signIn(attacker, 'session', ATTACKER);
    const planted = attacker.cookies.get(SESSION) ?? '';
    const owner = as(test, (await signInAs(test, TEST_ADMIN)).access_token);
    const { secret, codes } = await enableTfa(test, owner, TEST_ADMIN.password);
    const victim = new Browser(test);
    victim.cookies.set(SESSION, planted);
    expect((await signIn(victim, 'session')).codes).toEqual(['INVALID_OTP']);
    expect([victim.cookies.get(SESSION), await whoIs(attacker)]).toEqual([planted, ATTACKER.email]);
    await signIn(victim, 'session', { ...TEST_ADMIN, otp: codeOf(secret) });
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect([await whoIs(victim), await whoIs(attacker)]).toEqual([TEST_ADMIN.email, undefined]);
    await owner.post('/users/me/tfa/disable', { otp: codes[0] });
  });

  it('with a wrong password leaves the browser’s session alone', async () => {
    const browser = new Browser(test);
    await signIn(browser, 'session');
    const held = new Map(browser.cookies);
    const { status } = await signIn(browser, 'session', { ...TEST_ADMIN, password: 'wrong-one' });
    expect([status, browser.cookies]).toEqual([401, held]);
    expect(await whoIs(browser)).toBe(TEST_ADMIN.email);
  });
});
