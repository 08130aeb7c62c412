import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());

it('A password pattern may be written between slashes', async () => {
  const set = await admin.patch('/settings', { auth_password_policy: '/^.{12,}$/' });
  expect(set.status).toBe(200);
  const make = (email: string, password: string) => admin.post('/users', { email, password });
  expect((await make('a@example.com', 'three-green-kettles')).status).toBe(200);
  expect((await make('b@example.com', 'two-kettle')).codes).toEqual(['FAILED_VALIDATION']);
});

it('The address for a mailed link may be null', async () => {
  const sent = { email: TEST_ADMIN.email, reset_url: null };
  expect((await as(test).post('/auth/password/request', sent)).status).toBe(204);
  const { data } = await admin.post('/roles', { name: 'Clerks' });
  const invited = { email: 'c@example.com', role: data['id'], invite_url: null };
  expect((await admin.post('/users/invite', invited)).status).toBe(204);
});
