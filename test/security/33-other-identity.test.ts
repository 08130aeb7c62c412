import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';
let test: TestApp;
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());
it('33: a session by password ends when the user goes to a provider', async () => {
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const email = 'ann@example.com';
  const password = 'three-green-kettles';
  const { data } = await admin.post('/users', { email, password });
  const { access_token, refresh_token } = await signIn(test, { email, password });
  expect(
    (
      await admin.patch(`/users/${String(data['id'])}`, {
        provider: 'acme',
        external_identifier: 'x',
      })
    ).status,
  ).toBe(200);
  const me = await as(test, access_token).get('/users/me');
  const refreshed = await as(test).post('/auth/refresh', { refresh_token });
  expect([me.status, refreshed.status]).toEqual([401, 401]);
});
