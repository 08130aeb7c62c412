import { Browser, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const SESSION = 'service_session_token';
const REFRESH = 'service_refresh_token';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

beforeEach(() => test.database.query('DELETE FROM service_sessions'));

const sessions = (): Promise<object[]> => test.database.query('SELECT id FROM service_sessions');

async function ask(browser: Browser, fields: readonly string[]): Promise<void> {
  const query = `mutation ($email: String!, $password: String!) { ${fields
    .map((field, index) => `op${index}: ${field}`)
    .join(' ')} }`;
  const reply = await browser.send('POST', '/graphql/system', { query, variables: TEST_ADMIN });
  expect([reply.status, reply.codes]).toEqual([200, []]);
}

const login = (mode: string): string =>
  `auth_login(email: $email, password: $password, mode: ${mode}) { expires }`;

describe('31: several sign-ins in one request', () => {
  it.each([
    [['session', 'session', 'session'], SESSION],
    [['session', 'cookie', 'session'], SESSION],
    [['session', 'session', 'cookie'], REFRESH],
    [['cookie', 'cookie'], REFRESH],
  ])('by %j keep only the last session', async (modes, cookie) => {
    const browser = new Browser(test);
    await ask(browser, modes.map(login));
    expect(await sessions()).toHaveLength(1);
    expect([...browser.cookies.keys()]).toEqual([cookie]);
    expect((await browser.send('POST', '/auth/refresh', {})).status).toBe(200);
    expect((await browser.send('POST', '/auth/logout', {})).status).toBe(204);
    expect(await sessions()).toEqual([]);
  });

  it('end the previous session of the browser, too', async () => {
    const browser = new Browser(test);
    await ask(browser, [login('session')]);
    await ask(browser, [login('session'), login('session')]);
    expect(await sessions()).toHaveLength(1);
    expect((await browser.send('GET', '/users/me')).status).toBe(200);
  });

  it('leave sessions alone whose tokens are in the answer', async () => {
    await ask(new Browser(test), [login('json'), login('session'), login('json')]);
    expect(await sessions()).toHaveLength(3);
  });

  it('and a sign-out leave no session', async () => {
    const browser = new Browser(test);
    await ask(browser, [login('session'), 'auth_logout(mode: session)']);
    expect([await sessions(), browser.cookies.size]).toEqual([[], 0]);
  });

  it('and a refresh leave the refreshed session', async () => {
    const browser = new Browser(test);
    await ask(browser, [login('session'), 'auth_refresh(mode: session) { expires }']);
    expect(await sessions()).toHaveLength(1);
    expect((await browser.send('GET', '/users/me')).status).toBe(200);
  });
});
