import { randomUUID } from 'node:crypto';
import {
  anAddress,
  as,
  Browser,
  recordMails,
  type RecordedMails,
  restStatus,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const REFRESH = 'service_refresh_token';
const SESSION = 'service_session_token';

/** What a token may be for. A new purpose is added here, with a way to get such a token. */
const PURPOSES = [
  'access',
  'refresh',
  'session',
  'password-reset',
  'verify-email',
  'invite',
  'static',
] as const;
type Purpose = (typeof PURPOSES)[number];

let test: TestApp;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp();
  recorded = recordMails(test);
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.patch('/settings', { public_registration: true });
});

afterAll(() => test.close());

interface Use {
  readonly name: string;
  /** The purposes that are accepted here. */
  readonly takes: readonly Purpose[];
  /** @returns whether the token was accepted */
  tries(token: string): Promise<boolean>;
}

const ME = '/users/me?fields=email';

const REFUSALS: readonly (readonly [number, string])[] = [
  [401, 'INVALID_CREDENTIALS'],
  [403, 'INVALID_TOKEN'],
];

async function isTaken(
  send: (browser: Browser) => ReturnType<Browser['send']>,
  cookie: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const browser = new Browser(test);
  for (const [name, value] of Object.entries(cookie)) browser.cookies.set(name, value);
  const reply = await send(browser);
  const { codes, text } = reply;
  if (codes.length === 0) return true;
  const status = Object.hasOwn(reply.body as object, 'data') ? restStatus(reply) : reply.status;
  expect(REFUSALS).toContainEqual([status, codes[0]]);
  expect(codes).toHaveLength(1);
  expect(text).not.toContain(TEST_ADMIN.email);
  return false;
}

const mutation = (text: string): { query: string } => ({ query: `mutation { ${text} }` });

const USES: readonly Use[] = [
  {
    ...{ name: 'as a bearer token', takes: ['access', 'static'] },
    tries: (token) =>
      isTaken((to) => to.send('GET', ME, undefined, { authorization: `Bearer ${token}` })),
  },
  {
    ...{ name: 'as a session cookie', takes: ['session'] },
    tries: (token) => isTaken((to) => to.send('GET', ME), { [SESSION]: token }),
  },
  {
    ...{ name: 'to refresh', takes: ['refresh'] },
    tries: (token) => isTaken((to) => to.send('POST', '/auth/refresh', { refresh_token: token })),
  },
  {
    ...{ name: 'to refresh by GraphQL', takes: ['refresh'] },
    tries: (token) => {
      const asked = mutation(`auth_refresh(refresh_token: "${token}") { expires }`);
      return isTaken((to) => to.send('POST', '/graphql/system', asked));
    },
  },
  {
    ...{ name: 'to refresh, as the cookie of that', takes: ['refresh'] },
    tries: (token) =>
      isTaken((to) => to.send('POST', '/auth/refresh', { mode: 'cookie' }), { [REFRESH]: token }),
  },
  {
    ...{ name: 'to refresh, as a session cookie', takes: ['session'] },
    tries: (token) =>
      isTaken((to) => to.send('POST', '/auth/refresh', { mode: 'session' }), { [SESSION]: token }),
  },
  {
    ...{ name: 'to set a new password', takes: ['password-reset'] },
    tries: (token) =>
      isTaken((to) =>
        to.send('POST', '/auth/password/reset', { token, password: 'a-new-password' }),
      ),
  },
  {
    ...{ name: 'to set a new password by GraphQL', takes: ['password-reset'] },
    tries: (token) => {
      const asked = mutation(`auth_password_reset(token: "${token}", password: "a-new-password")`);
      return isTaken((to) => to.send('POST', '/graphql/system', asked));
    },
  },
  {
    ...{ name: 'to confirm an address', takes: ['verify-email'] },
    tries: (token) => {
      const path = `/users/register/verify-email?token=${encodeURIComponent(token)}`;
      return isTaken((to) => to.send('GET', path));
    },
  },
  {
    ...{ name: 'to confirm an address by GraphQL', takes: ['verify-email'] },
    tries: (token) => {
      const asked = mutation(`users_register_verify(token: "${token}") { id }`);
      return isTaken((to) => to.send('POST', '/graphql/system', asked));
    },
  },
  {
    ...{ name: 'to accept an invitation', takes: ['invite'] },
    tries: (token) =>
      isTaken((to) =>
        to.send('POST', '/users/invite/accept', { token, password: 'a-new-password' }),
      ),
  },
  {
    ...{ name: 'to accept an invitation by GraphQL', takes: ['invite'] },
    tries: (token) => {
      const asked = mutation(`users_invite_accept(token: "${token}", password: "a-new-password")`);
      return isTaken((to) => to.send('POST', '/graphql/system', asked));
    },
  },
];

/** A new user for each, since a user gets only one mail in a while. */
async function mailedToken(): Promise<string> {
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const email = `user-${randomUUID()}@example.com`;
  await admin.post('/users', { email, password: 'the-first-of-passwords' });
  await as(test).post('/auth/password/request', { email });
  return recorded.tokenFor(email);
}

async function staticToken(): Promise<string> {
  const { email, password: current_password } = TEST_ADMIN;
  const me = as(test, (await signIn(test, { email, password: current_password })).access_token);
  const { data } = await me.post('/users/me/tokens', { name: 'robot', current_password });
  return String(data['token']);
}

async function registeredToken(): Promise<string> {
  const email = anAddress();
  await as(test).post('/register', { email, password: 'the-first-of-passwords' });
  return recorded.tokenFor(email);
}

async function invitedToken(): Promise<string> {
  const email = anAddress();
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const { data } = await admin.get('/roles?fields=id&limit=1');
  await admin.post('/users/invite', { email, role: (data as unknown as { id: string }[])[0]?.id });
  return recorded.tokenFor(email);
}

const MADE: Partial<Record<Purpose, () => Promise<string>>> = {
  'password-reset': mailedToken,
  'verify-email': registeredToken,
  invite: invitedToken,
  static: staticToken,
};

async function issue(purpose: Purpose): Promise<string> {
  const made = MADE[purpose];
  if (made) return made();
  const browser = new Browser(test);
  const mode = purpose === 'session' ? 'session' : 'json';
  const { data } = await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode });
  const tokens: Partial<Record<Purpose, unknown>> = {
    access: data['access_token'],
    refresh: data['refresh_token'],
    session: browser.cookies.get(SESSION),
  };
  return String(tokens[purpose]);
}

const MATRIX = USES.flatMap((use) => PURPOSES.map((purpose) => ({ ...use, purpose })));

describe('37: a token', () => {
  it.each(MATRIX)('for $purpose, used $name', async ({ purpose, ...use }) => {
    expect(await use.tries(await issue(purpose))).toBe(use.takes.includes(purpose));
  });

  it.each(PURPOSES)('for %s ends a session only where it may refresh', async (purpose) => {
    const token = await issue(purpose);
    const count = 'SELECT count(*)::int4 AS count FROM service_sessions';
    const [before] = await test.database.query<{ count: number }>(count);
    const reply = await new Browser(test).send('POST', '/auth/logout', { refresh_token: token });
    const [after] = await test.database.query<{ count: number }>(count);
    const ended = Number(before?.count) - Number(after?.count);
    expect([reply.status, ended]).toEqual([204, purpose === 'refresh' ? 1 : 0]);
  });

  it('for refreshing ends nothing as a session cookie', async () => {
    const browser = new Browser(test);
    await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'cookie' });
    const other = new Browser(test);
    other.cookies.set(SESSION, browser.cookies.get(REFRESH) ?? '');
    await other.send('POST', '/auth/logout', { mode: 'session' });
    expect((await browser.send('POST', '/auth/refresh', { mode: 'cookie' })).status).toBe(200);
  });
});
