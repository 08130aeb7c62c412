import {
  as,
  enableTfa,
  FakeProvider,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';

const PAGE = `${PUBLIC_URL}/admin/login`;
const NEEDS = `${PAGE}?reason=INVALID_OTP`;

let provider: FakeProvider;
let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  provider = await FakeProvider.start();
  test = await startTestApp({
    env: {
      ...{ PUBLIC_URL, AUTH_PROVIDERS: 'acme,weak' },
      ...providerEnv(provider),
      ...providerEnv(provider, { SATISFIES_TFA: 'false' }, 'weak'),
    },
  });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(async () => {
  await test.close();
  await provider.close();
});

let made = 0;

/** One user of each provider, with the policies that the access row gives. */
async function people(access: (user: string, policy: string) => object): Promise<void> {
  made += 1;
  const policy = { name: `Guarded ${made}`, enforce_tfa: true };
  const { data } = await admin.post('/policies', policy);
  for (const name of ['acme', 'weak']) {
    const user = { provider: name, external_identifier: `person-${made}` };
    const { data: person } = await admin.post('/users', user);
    const row = access(String(person['id']), String(data['id']));
    expect((await admin.post('/access', row)).status).toBe(200);
  }
  provider.person = { sub: `person-${made}`, email: 'x@example.com', email_verified: true };
}

const land = async (name: string): Promise<string> =>
  (await new ProviderVisit(test, name).signIn()).location;

async function guardRole(user: string, policy: string): Promise<object> {
  const parent = await admin.post('/roles', { name: 'Above' });
  const role = await admin.post('/roles', { name: 'Below', parent: parent.data['id'] });
  await admin.patch(`/users/${user}`, { role: role.data['id'] });
  return { policy, role: parent.data['id'] };
}

describe('46: where a policy asks for a second factor', () => {
  it('a provider that is trusted for it signs users in, and another is refused with that reason', async () => {
    await people((user, policy) => ({ user, policy }));
    expect(await land('acme')).toBe(PAGE);
    const before = await test.database.query('SELECT count(*) FROM service_sessions');
    expect(await land('weak')).toBe(NEEDS);
    expect(await test.database.query('SELECT count(*) FROM service_sessions')).toEqual(before);
  });

  it('a policy of a parent role counts', async () => {
    await people((user, policy) => ({ user, policy, expires_at: '2001-01-01T00:00:00Z' }));
    expect(await land('weak')).toBe(PAGE);
    const [user] = await test.database.query<{ id: string }>(
      `SELECT id FROM service_users WHERE provider = 'weak' AND external_identifier = $1`,
      [`person-${made}`],
    );
    const [policy] = await test.database.query<{ id: string }>(
      'SELECT id FROM service_policies WHERE name = $1',
      [`Guarded ${made}`],
    );
    await admin.post('/access', await guardRole(user?.id ?? '', policy?.id ?? ''));
    expect(await land('weak')).toBe(NEEDS);
  });
});

const barred = async (token: string): Promise<string> => (await as(test, token).get('/roles')).text;

describe('46: where a policy asks for a second factor later', () => {
  it.each([
    ['acme', false],
    ['weak', true],
  ])('sessions and static tokens of %s are barred: %s', async (name, isBarred) => {
    made += 1;
    const person = { provider: name, external_identifier: `person-${made}` };
    const { data } = await admin.post('/users', person);
    provider.person = { sub: `person-${made}`, email: 'x@example.com', email_verified: true };
    const visit = new ProviderVisit(test, name);
    await visit.signIn();
    const given = await visit.browser.send('POST', '/users/me/tokens', { name: 'robot' });
    const token = String(given.data['token']);
    const before = await barred(token);
    const policy = await admin.post('/policies', { name: `Later ${made}`, enforce_tfa: true });
    await admin.post('/access', { user: data['id'], policy: policy.data['id'] });
    const after = [await barred(token), (await visit.browser.send('GET', '/roles')).text];
    expect([before, ...after].map((text) => text.includes('two-factor'))).toEqual([
      false,
      isBarred,
      isBarred,
    ]);
  });

  it('a user’s own second factor is not replaced by a provider that is not trusted for it', async () => {
    made += 1;
    const user = { email: `own-${made}@example.com`, password: 'three-green-kettles' };
    const { data } = await admin.post('/users', user);
    const own = as(test, (await signIn(test, user)).access_token);
    await enableTfa(test, own, user.password);
    const person = { provider: 'weak', external_identifier: `person-${made}` };
    await admin.patch(`/users/${String(data['id'])}`, person);
    provider.person = { sub: `person-${made}`, email: user.email, email_verified: true };
    expect(await land('weak')).toBe(NEEDS);
    await admin.patch(`/users/${String(data['id'])}`, { provider: 'acme' });
    expect(await land('acme')).toBe(PAGE);
  });
});
