import {
  as,
  FakeProvider,
  makeLastingStorage,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';

const PROVIDER = {
  ...{ AUTH_PROVIDERS: 'acme', AUTH_ACME_ISSUER_URL: 'http://127.0.0.1:9' },
  ...{ AUTH_ACME_CLIENT_ID: 'doorward', AUTH_ACME_CLIENT_SECRET: 'for the tests' },
};

let test: TestApp;
let admin: TestClient;
let id: string;
beforeEach(async () => {
  test = await startTestApp({ env: PROVIDER });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  id = String((await admin.get('/users/me?fields=id')).data['id']);
});
afterEach(() => test.close());

it.each([
  ['no longer has an address', { email: null, current_password: TEST_ADMIN.password }],
  ['belongs to a provider that does not know them', { provider: 'acme' }],
  ['belongs to a provider that is not configured', { provider: 'acmee', external_identifier: 'x' }],
  [
    'has an identity without a provider, and no password',
    { external_identifier: 'x', password: null, current_password: TEST_ADMIN.password },
  ],
])('27: the last administrator who can sign in stays one: %s', async (_, change) => {
  const reply = await admin.patch(`/users/${id}`, change);
  const login = await as(test).post('/auth/login', TEST_ADMIN);
  expect([reply.codes, login.status]).toEqual([['INVALID_PAYLOAD'], 200]);
});

it('27: the last administrator may move to a configured provider', async () => {
  const change = { provider: 'acme', external_identifier: 'x' };
  expect((await admin.patch(`/users/${id}`, change)).status).toBe(200);
});

it('27: where passwords are switched off, the last administrator of a provider stays one', async () => {
  const provider = await FakeProvider.start();
  const env = { ...providerEnv(provider), AUTH_PROVIDERS: 'acme', AUTH_DISABLE_DEFAULT: 'true' };
  const app = await startTestApp({ env: { PUBLIC_URL, ...env } });
  await app.database.query(
    `INSERT INTO service_users (provider, external_identifier, role)
     SELECT 'acme', 'ann', role FROM service_users WHERE email = $1`,
    [TEST_ADMIN.email],
  );
  const visit = new ProviderVisit(app);
  await visit.signIn();
  const me = String((await visit.me())?.['id']);
  const refused = await visit.browser.send('PATCH', `/users/${me}`, { status: 'suspended' });
  expect(refused.codes).toEqual(['INVALID_PAYLOAD']);
  expect(await visit.me()).toMatchObject({ id: me });
  await app.close();
  await provider.close();
});

it('27: where passwords are switched off and every administrator has one, the last of them stays one', async () => {
  const lasting = await makeLastingStorage();
  const before = await startTestApp({ storage: lasting.storage });
  const { access_token } = await signIn(before, TEST_ADMIN);
  await before.close();
  const env = { ...PROVIDER, AUTH_DISABLE_DEFAULT: 'true' };
  const app = await startTestApp({ storage: lasting.storage, env });
  const client = as(app, access_token);
  const me = String((await client.get('/users/me?fields=id')).data['id']);
  const refused = await client.patch(`/users/${me}`, { status: 'suspended' });
  expect(refused.codes).toEqual(['INVALID_PAYLOAD']);
  await app.close();
  await lasting.drop();
});
