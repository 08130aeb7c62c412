import { randomUUID } from 'node:crypto';
import {
  as,
  hearMails,
  type HeardMails,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const PASSWORD = 'three-green-kettles';
let test: TestApp;
let heard: HeardMails;
let admin: string;

beforeAll(async () => {
  test = await startTestApp();
  heard = hearMails(test);
  admin = (await signIn(test, TEST_ADMIN)).access_token;
});
afterAll(() => test.close());

it('40: a reset link is void once the address that it was mailed to is no longer the user’s', async () => {
  const email = `old-${randomUUID()}@example.com`;
  const { data } = await as(test, admin).post('/users', { email, password: PASSWORD, role: null });
  await as(test).post('/auth/password/request', { email });
  const token = await heard.tokenFor(email); // read by whoever has the old mailbox
  const moved = await as(test, admin).patch(`/users/${String(data['id'])}`, {
    email: `new-${randomUUID()}@example.com`,
  });
  expect(moved.status).toBe(200);
  const reply = await as(test).post('/auth/password/reset', {
    token,
    password: 'chosen-by-the-old-mailbox',
  });
  expect([reply.status, reply.codes]).toEqual([403, ['INVALID_TOKEN']]);
});
