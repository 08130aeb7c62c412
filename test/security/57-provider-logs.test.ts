import {
  as,
  FakeProvider,
  PROVIDER_CLIENT,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  replyAfterWait,
  signIn,
  startTestApp,
  TEST_ADMIN,
  verboseLogger,
  type TestApp,
  itOnPostgres,
} from '../support';

let provider: FakeProvider;
let test: TestApp;
let log = '';
const spies: jest.SpyInstance[] = [];

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    const spy = jest.spyOn(stream, 'write').mockImplementation((text) => {
      log += String(text);
      return true;
    });
    spies.push(spy);
  }
  provider = await FakeProvider.start();
  test = await startTestApp({
    env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...providerEnv(provider) },
  });
  // The most verbose logger.
  test.app.useLogger(verboseLogger());
});

afterAll(async () => {
  await test.close();
  await provider.close();
  for (const spy of spies) spy.mockRestore();
});

const parameter = (address: string, name: string): string =>
  new URL(address).searchParams.get(name) ?? '';

describe("57: the log of a provider's sign-ins", () => {
  it('shows why each failed, and holds no secret, code, state, token or address', async () => {
    provider.person = { sub: 'canary-sub', email: 'canary@example.com', email_verified: true };
    const secrets: string[] = [PROVIDER_CLIENT.secret, 'an-access-token', 'canary'];
    const faults: (typeof provider.forge)[] = [
      (token) => token,
      (token) => ({ ...token, claims: { ...token.claims, aud: 'canary-audience' } }),
      (token) => ({ ...token, claims: { ...token.claims, email_verified: false } }),
      (token) => ({ ...token, key: undefined }),
    ];
    for (const forge of faults) {
      provider.forge = forge;
      const visit = new ProviderVisit(test);
      const { location } = await visit.authorize();
      const back = await visit.consent(location);
      secrets.push(visit.browser.cookies.get('service_sign_in') ?? '', parameter(back, 'code'));
      secrets.push(
        ...['state', 'nonce', 'code_challenge'].map((each) => parameter(location, each)),
      );
      expect((await visit.go(back)).location).toContain('reason=');
      expect((await visit.go(back)).location).toContain('reason=');
    }
    const visit = new ProviderVisit(test);
    const { location } = await visit.authorize();
    const state = parameter(location, 'state');
    await visit.go(
      `${PUBLIC_URL}/auth/login/acme/callback?state=${state}&error=canary%20is%20here`,
    );
    expect(log).toContain('acme: INVALID_TOKEN');
    expect(log).toContain(
      'acme: INVALID_CREDENTIALS: the identity has no user, and registration is not open',
    );
    expect(secrets.every((secret) => secret.length > 5)).toBe(true);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });

  // The embedded database has one connection: there, no one else changes the user meanwhile.
  itOnPostgres('shows that the user was changed between the look-up and the sign-in', async () => {
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    const made = await admin.post('/users', { provider: 'acme', external_identifier: 'late' });
    provider.person = { sub: 'late', email: 'late@example.com', email_verified: true };
    provider.forge = (token) => token;
    const visit = new ProviderVisit(test);
    const back = await visit.consent((await visit.authorize()).location);
    const { location } = await replyAfterWait(
      test.database,
      (tx) =>
        tx.query(`UPDATE service_users SET status = 'suspended' WHERE id = $1::uuid`, [
          made.data['id'],
        ]),
      () => visit.go(back),
    );
    expect(location).toContain('reason=INVALID_CREDENTIALS');
    expect(log).toContain('acme: INVALID_CREDENTIALS: the user was changed meanwhile');
  });
});
