import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../support';

let test: TestApp;
let admin: TestClient;
let id: string;
beforeEach(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  id = String((await admin.get('/users/me?fields=id')).data['id']);
});
afterEach(() => test.close());

it.each([
  ['no longer has an address', { email: null, current_password: TEST_ADMIN.password }],
  ['belongs to a provider that does not know them', { provider: 'acme' }],
  [
    'has an identity without a provider, and no password',
    { external_identifier: 'x', password: null, current_password: TEST_ADMIN.password },
  ],
])('27: the last administrator who can sign in stays one: %s', async (_, change) => {
  const reply = await admin.patch(`/users/${id}`, change);
  const login = await as(test).post('/auth/login', TEST_ADMIN);
  expect([reply.codes, login.status]).toEqual([['INVALID_PAYLOAD'], 200]);
});
