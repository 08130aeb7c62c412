import {
  authentication,
  type AuthenticationMode,
  createDirectus,
  graphql,
  login,
  logout,
  readMe,
  refresh,
  rest,
} from '@directus/sdk';
import { Browser, startTestApp, TEST_ADMIN, type TestApp } from '../../support';

/** The published client, unchanged; in cookie modes it is configured to send cookies as a browser would. */

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const ownEmail = () => readMe({ fields: ['email'] });
const ME = { email: TEST_ADMIN.email };

function clientIn(mode: AuthenticationMode) {
  const browser = new Browser(test);
  const options = { credentials: 'include' } as const;
  const client = createDirectus(test.url, { globals: { fetch: browser.fetch } })
    .with(authentication(mode, { ...options, autoRefresh: false }))
    .with(rest(options))
    .with(graphql(options));
  return { client, browser };
}

const refusal = async (asked: Promise<unknown>): Promise<string | undefined> => {
  const failure = (await asked.then(
    () => undefined,
    (error: unknown) => error,
  )) as { errors: { extensions: { code: string } }[] } | undefined;
  return failure?.errors[0]?.extensions.code;
};

describe.each(['json', 'cookie', 'session'] as const)('the client in %s mode', (mode) => {
  it('signs in, asks, refreshes, asks again and signs out', async () => {
    const { client, browser } = clientIn(mode);
    const first = await client.login({ ...TEST_ADMIN });
    expect(first.expires).toBeGreaterThan(0);
    expect(await client.request(ownEmail())).toEqual(ME);
    const held = new Map(browser.cookies);
    const second = await client.refresh();
    expect(second.refresh_token === undefined).toBe(mode !== 'json');
    if (mode === 'json') expect(second.refresh_token).not.toBe(first.refresh_token);
    else expect(browser.cookies).not.toEqual(held);
    expect(await client.request(ownEmail())).toEqual(ME);
    await client.logout();
    expect(browser.cookies.size).toBe(0);
    expect(await refusal(client.request(ownEmail()))).toBe('INVALID_CREDENTIALS');
  });

  it('queries the system collections by GraphQL', async () => {
    const { client } = clientIn(mode);
    await client.login({ ...TEST_ADMIN });
    const query = 'query ($all: Boolean!) { users_me { email id @include(if: $all) } }';
    const answer = await client.query(query, { all: false }, 'system');
    expect(answer).toEqual({ users_me: ME });
  });

  it('gets an error when the password is wrong', async () => {
    const { client } = clientIn(mode);
    const wrong = { ...TEST_ADMIN, password: 'not-the-password' };
    expect(await refusal(client.login(wrong))).toBe('INVALID_CREDENTIALS');
  });

  it('refreshes by itself before the token expires', async () => {
    const browser = new Browser(test);
    const client = createDirectus(test.url, { globals: { fetch: browser.fetch } })
      // Longer than any token is valid, so every request refreshes first.
      .with(authentication(mode, { credentials: 'include', msRefreshBeforeExpires: 1e9 }))
      .with(rest({ credentials: 'include' }));
    await client.login({ ...TEST_ADMIN });
    expect(await client.request(ownEmail())).toEqual(ME);
    client.stopRefreshing();
    const [session] = await test.database.query(
      'SELECT generation > 0 AS rotated FROM service_sessions ORDER BY created_at DESC LIMIT 1',
    );
    expect(session).toEqual({ rotated: true });
  });

  it('has commands for signing in, refreshing and signing out', async () => {
    const { browser } = clientIn(mode);
    const client = createDirectus(test.url, { globals: { fetch: browser.fetch } }).with(
      rest({ credentials: 'include' }),
    );
    const { refresh_token } = await client.request(login({ ...TEST_ADMIN }, { mode }));
    const token = refresh_token === null ? {} : { refresh_token };
    const next = await client.request(refresh({ mode, ...token }));
    const last = mode === 'json' ? { refresh_token: next.refresh_token ?? '' } : {};
    await client.request(logout({ mode, ...last }));
    expect(await refusal(client.request(refresh({ mode, ...last })))).toBe(
      mode === 'json' ? 'INVALID_CREDENTIALS' : 'INVALID_PAYLOAD',
    );
  });
});
