import {
  as,
  FakeProvider,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

let provider: FakeProvider;
let test: TestApp;

beforeAll(async () => {
  provider = await FakeProvider.start();
  const open = { ALLOW_PUBLIC_REGISTRATION: 'true' };
  test = await startTestApp({
    env: {
      ...{ PUBLIC_URL, AUTH_PROVIDERS: 'acme,other,gone,named' },
      ...{ ...providerEnv(provider, open), ...providerEnv(provider, open, 'other') },
      ...providerEnv(
        provider,
        { ...open, DEFAULT_ROLE_ID: '11111111-1111-4111-8111-111111111111' },
        'gone',
      ),
      ...providerEnv(
        provider,
        { ...open, IDENTIFIER_KEY: 'preferred_username', REQUIRE_VERIFIED_EMAIL: 'false' },
        'named',
      ),
    },
  });
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

const users = (): Promise<object[]> =>
  test.database.query('SELECT * FROM service_users ORDER BY id');

/** How many failed sign-ins the log has. */
const failures = async (): Promise<number> =>
  (await test.database.query("SELECT FROM service_activity WHERE action = 'login_failed'")).length;

describe('43: the address of another user, asserted by a provider', () => {
  it.each([TEST_ADMIN.email, TEST_ADMIN.email.toUpperCase(), 'Admin@Example.com'])(
    '(%s) does not sign in, and no one is changed or created',
    async (email) => {
      provider.person = { sub: 'eve', email, email_verified: true };
      const before = await users();
      const visit = new ProviderVisit(test);
      const { location } = await visit.signIn();
      expect(location).toBe(`${PUBLIC_URL}/admin/login?reason=INVALID_CREDENTIALS`);
      expect([...visit.browser.cookies.keys()]).toEqual([]);
      expect(await users()).toEqual(before);
    },
  );

  it('belongs to the user who came first, also with two providers', async () => {
    provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true };
    expect((await new ProviderVisit(test).signIn()).location).not.toContain('reason');
    const before = await users();
    const { location } = await new ProviderVisit(test, 'other').signIn();
    expect(location).toContain('reason=INVALID_CREDENTIALS');
    expect(await users()).toEqual(before);
  });

  it('does not change the user who signs in either', async () => {
    provider.person = { sub: 'bob', email: 'bob@example.com', email_verified: true };
    await new ProviderVisit(test).signIn();
    provider.person = { sub: 'bob', email: TEST_ADMIN.email, email_verified: true };
    const visit = new ProviderVisit(test);
    expect((await visit.signIn()).location).not.toContain('reason');
    expect(await visit.me()).toMatchObject({ email: 'bob@example.com' });
  });

  it.each(['not an address', 'a@b', 'x'.repeat(300)])(
    'or an invalid one (%s) creates no user',
    async (email) => {
      provider.person = { sub: 'carl', email, email_verified: true };
      const before = await users();
      expect((await new ProviderVisit(test).signIn()).location).toContain('INVALID_CREDENTIALS');
      expect(await users()).toEqual(before);
    },
  );

  it('of a user whom somebody has created as unverified is not taken', async () => {
    const email = 'made@example.com';
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    expect((await admin.post('/users', { email, status: 'unverified' })).status).toBe(200);
    const before = await users();
    provider.person = { sub: 'made', email, email_verified: true };
    const { location } = await new ProviderVisit(test).signIn();
    expect(location).toContain('reason=INVALID_CREDENTIALS');
    expect(await users()).toEqual(before);
  });

  it.each([
    ['acme', true],
    ['named', false],
  ])(
    'that was registered and never confirmed can be taken where %s has verified it: %s',
    async (name, email_verified) => {
      const email = `${name}@example.com`;
      const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
      const squatter = await admin.post('/users', { email, status: 'unverified' });
      const register = 'UPDATE service_users SET registered = true WHERE email = $1';
      await test.database.query(register, [email]);
      provider.person = { sub: name, preferred_username: name, email, email_verified };
      const { location } = await new ProviderVisit(test, name).signIn();
      expect(location.includes('reason=INVALID_CREDENTIALS')).toBe(!email_verified);
      const found = await test.database.query<{ id: string }>(
        'SELECT id FROM service_users WHERE email = $1',
        [email],
      );
      expect(found.map(({ id }) => id === squatter.data['id'])).toEqual([!email_verified]);
    },
  );

  it('creates no user if the configured role is missing', async () => {
    provider.person = { sub: 'dan', email: 'dan@example.com', email_verified: true };
    const before = await users();
    const { location } = await new ProviderVisit(test, 'gone').signIn();
    expect(location).toContain('reason=INVALID_CREDENTIALS');
    expect(await users()).toEqual(before);
  });
});

describe('43: the identifier that a provider gives', () => {
  it('is compared exactly', async () => {
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    await admin.post('/users', { provider: 'acme', external_identifier: 'Dora' });
    for (const sub of ['dora', 'Dora ', ' Dora', 'D\u043era', '%', 'Dor_']) {
      provider.person = { sub, email: TEST_ADMIN.email, email_verified: true };
      expect((await new ProviderVisit(test).signIn()).location).toContain('reason');
    }
  });

  it('is never an unverified e-mail, in any case and from any claim', async () => {
    const claims = { sub: 'ned', email: 'ned@example.com', preferred_username: 'NED@example.com' };
    provider.person = { ...claims, email_verified: false };
    const before = await users();
    const failed = await failures();
    expect((await new ProviderVisit(test, 'named').signIn()).location).toContain('reason');
    expect(await users()).toEqual(before);
    expect(await failures()).toBe(failed + 1);
    provider.person = { ...claims, email_verified: true };
    expect((await new ProviderVisit(test, 'named').signIn()).location).not.toContain('reason');
  });

  it.each(['boss@example.com', 'boss@corp', 'boss@xn--bcher-kva.example', 'b"oss@example.com'])(
    'is never an e-mail other than the verified one: %s',
    async (boss) => {
      const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
      await admin.post('/users', { provider: 'named', external_identifier: boss });
      const claims = { sub: 'eve', preferred_username: boss };
      const others = [{}, { email: 'eve@evil.example', email_verified: true }];
      for (const other of others) {
        provider.person = { ...claims, ...other };
        const { location } = await new ProviderVisit(test, 'named').signIn();
        expect(location).toContain('reason=INVALID_CREDENTIALS');
      }
      provider.person = { ...claims, email: boss.toUpperCase(), email_verified: true };
      expect((await new ProviderVisit(test, 'named').signIn()).location).not.toContain('reason');
    },
  );

  it.each(['', ' ', 'x'.repeat(256), 'a\0b'])('must be valid: not %j', async (sub) => {
    provider.person = { sub, email: 'odd@example.com', email_verified: true };
    expect((await new ProviderVisit(test).signIn()).location).toContain('reason');
  });
});
