import {
  as,
  AUTH_TRANSPORTS,
  type AuthTransport,
  type AuthOutcome,
  Browser,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';
import { type AuthScenario, type Mode, SCENARIOS } from './auth.modes.cases';

const LIFETIMES = { ACCESS_TOKEN_TTL: '10m', REFRESH_TOKEN_TTL: '3d', SESSION_TTL: '2h' };
const ACCESS_MS = 600_000;
const SESSION_MS = 7_200_000;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ env: LIFETIMES });
});

afterAll(() => test.close());

interface Before {
  readonly browser: Browser;
  readonly tokens: AuthOutcome['tokens'];
}

async function before(transport: AuthTransport, mode: Mode | undefined): Promise<Before> {
  const browser = new Browser(test);
  if (mode === undefined) return { browser, tokens: {} };
  const { tokens } = await transport.run(browser, 'login', { ...TEST_ADMIN, mode });
  return { browser, tokens };
}

/** Uses the access token or, without one, the cookies of the browser. */
async function isSignedIn(browser: Browser, accessToken: string | undefined): Promise<boolean> {
  const me = await (accessToken === undefined
    ? browser.send('GET', '/users/me?fields=email')
    : as(test, accessToken).get('/users/me?fields=email'));
  return me.status === 200 && me.data['email'] === TEST_ADMIN.email;
}

const sessions = async (): Promise<number> => {
  const [row] = await test.database.query<{ count: number }>(
    'SELECT count(*)::int4 AS count FROM service_sessions',
  );
  return row?.count ?? 0;
};

describe.each(AUTH_TRANSPORTS)('$name', (transport) => {
  playAt(SCENARIOS, transport);

  it('reports how long its tokens are valid', async () => {
    for (const [mode, expires] of Object.entries({
      ...{ json: ACCESS_MS, cookie: ACCESS_MS, session: SESSION_MS },
    })) {
      const { browser, tokens } = await before(transport, mode as Mode);
      expect([mode, tokens.expires]).toEqual([mode, expires]);
      if (mode === 'json') continue;
      const refreshed = await transport.run(browser, 'refresh', { mode });
      expect([mode, refreshed.tokens.expires]).toEqual([mode, expires]);
    }
  });
});

function playAt(scenarios: readonly AuthScenario[], transport: AuthTransport): void {
  it.each(scenarios.map((each) => ({ ...each, name: `${each.ask} ${each.it}` })))(
    '$name',
    async ({ signedIn, ask, send, gives = [], holds = [], lacks, ends = 1 }) => {
      const { browser, tokens } = await before(transport, signedIn);
      const held = new Map(browser.cookies);
      const count = await sessions();
      const body = JSON.stringify({ ...(ask === 'login' && TEST_ADMIN), ...send });
      const filled = JSON.parse(body.replace('<token>', tokens.refresh_token ?? '')) as object;
      const outcome = await transport.run(browser, ask, { ...filled });
      expect(outcome.codes).toEqual(lacks === undefined ? [] : ['INVALID_PAYLOAD']);
      expect(outcome.field).toBe(lacks);
      expect(Object.keys(outcome.tokens).sort()).toEqual(gives);
      expect([...browser.cookies.keys()]).toEqual(holds);
      if (lacks !== undefined) {
        expect([outcome.status, browser.cookies]).toEqual([400, held]);
        return;
      }
      for (const [name, value] of browser.cookies) {
        expect(held.get(name)).not.toBe(value);
        expect(outcome.text).not.toContain(value);
      }
      expect(await isSignedIn(browser, outcome.tokens.access_token)).toBe(ask !== 'logout');
      const more = { login: signedIn === undefined ? 1 : 0, refresh: 0, logout: 0 - ends };
      expect((await sessions()) - count).toBe(more[ask]);
    },
  );
}
