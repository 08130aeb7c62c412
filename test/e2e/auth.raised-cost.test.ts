import { hash } from 'bcrypt';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const PASSWORD = 'three-green-kettles';
let test: TestApp;
beforeAll(async () => {
  test = await startTestApp({ env: { BCRYPT_COST: '8' } });
});
afterAll(() => test.close());

it('two sign-ins at once after the hashing cost was raised both succeed', async () => {
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const email = 'ann@example.com';
  const { data } = await admin.post('/users', { email, password: PASSWORD });
  await test.database.query('UPDATE service_users SET password = $2 WHERE id = $1', [
    data['id'],
    await hash(PASSWORD, 6),
  ]);
  const replies = await Promise.all(
    [1, 2].map(() => as(test).post('/auth/login', { email, password: PASSWORD })),
  );
  expect(replies.map(({ status, codes }) => [status, codes])).toEqual([
    [200, []],
    [200, []],
  ]);
});
