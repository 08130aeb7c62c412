import { AUTH_TRANSPORTS, Browser, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const SESSION = 'service_session_token';
const ME = '/users/me?fields=email';

let test: TestApp;
let other: TestApp;

beforeAll(async () => {
  test = await startTestApp();
  // A second instance on the same database; the embedded database serves only one.
  other = test.storage.kind === 'postgres' ? await startTestApp({ storage: test.storage }) : test;
});

afterAll(async () => {
  if (other !== test) await other.close();
  await test.close();
});

const clock = Date.now;
let waited = 0;

beforeEach(() => {
  waited = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => clock() + waited);
});

afterEach(() => jest.restoreAllMocks());

/** Shifts the clock of the process, and with it that of an embedded database, so that cached values expire. */
const wait = (seconds: number): void => void (waited += seconds * 1_000);

/** Sets how many seconds ago the tokens before the last were rotated, the latest first. */
async function rotated(cookie: string, ...ago: readonly number[]): Promise<void> {
  wait(11);
  const claims = JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string;
  };
  await test.database.query(
    `UPDATE service_sessions SET rotations =
       ARRAY(SELECT now() - s * interval '1 second' FROM unnest($2::int4[]) WITH ORDINALITY t (s, n) ORDER BY n)
     WHERE id = $1::uuid`,
    [claims.sid, ago],
  );
}

const status = async (app: TestApp, cookie: string): Promise<number> => {
  const browser = new Browser(app);
  browser.cookies.set(SESSION, cookie);
  return (await browser.send('GET', ME)).status;
};

describe.each(AUTH_TRANSPORTS)('36: $name: a session cookie that was rotated', (transport) => {
  const rotate = async (browser: Browser): Promise<string> => {
    await transport.run(browser, 'refresh', { mode: 'session' });
    return browser.cookies.get(SESSION) ?? '';
  };

  it('is accepted for ten seconds more, and its successor for its own time', async () => {
    const browser = new Browser(test);
    await transport.run(browser, 'login', { ...TEST_ADMIN, mode: 'session' });
    const old = browser.cookies.get(SESSION) ?? '';
    for (const app of [test, other]) expect(await status(app, old)).toBe(200);
    const next = await rotate(browser);
    expect(next).not.toBe(old);
    for (const cookie of [old, next]) expect(await status(test, cookie)).toBe(200);
    await rotated(old, 4);
    for (const cookie of [old, next]) expect(await status(test, cookie)).toBe(200);
    await rotated(old, 11);
    for (const app of [test, other]) {
      expect(await status(app, old)).toBe(401);
      expect(await status(app, next)).toBe(200);
    }
  });

  it('twice within ten seconds is refused too, each ten seconds after its own successor', async () => {
    const browser = new Browser(test);
    await transport.run(browser, 'login', { ...TEST_ADMIN, mode: 'session' });
    const first = browser.cookies.get(SESSION) ?? '';
    const second = await rotate(browser);
    const third = await rotate(browser);
    await rotated(first, 0, 4);
    for (const cookie of [first, second, third]) expect(await status(test, cookie)).toBe(200);
    await rotated(first, 4, 11);
    expect(await status(test, first)).toBe(401);
    for (const cookie of [second, third]) expect(await status(test, cookie)).toBe(200);
    await rotated(first, 11, 20);
    for (const cookie of [first, second]) expect(await status(test, cookie)).toBe(401);
    expect(await status(test, third)).toBe(200);
  });
});
