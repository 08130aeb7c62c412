import { Passwords } from '../../src/users';
import {
  as,
  recordMails,
  type RecordedMails,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

const PASSWORD = 'three-green-kettles';
const EVE = 'eve@example.com';
const FROM = { 'X-Forwarded-For': '198.51.100.1' };

let test: TestApp;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: '1' } });
  recorded = recordMails(test);
});

afterAll(() => test.close());

it('30: networks take turns at hashing, whatever the hash is for', async () => {
  const hash = jest.spyOn(test.app.get(Passwords, { strict: false }), 'hash');
  const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const role = (await admin.get('/users/me?fields=role')).data['role'];
  await admin.post('/users/invite', { email: EVE, role });
  const invitation = await recorded.tokenFor(EVE);
  const follow = async (path: string, token: string): Promise<void> => {
    const reply = await as(test).send('POST', path, { token, password: PASSWORD }, FROM);
    expect(reply.status).toBe(204);
    expect(hash).toHaveBeenLastCalledWith(PASSWORD, '198.51.100.1');
  };
  await follow('/users/invite/accept', invitation);
  await as(test).post('/auth/password/request', { email: EVE });
  await follow('/auth/password/reset', await recorded.tokenFor(EVE));
});

it('30: so do sign-ins, and users who prove themselves', async () => {
  const matches = jest.spyOn(test.app.get(Passwords, { strict: false }), 'matches');
  const { email, password } = TEST_ADMIN;
  const stored: unknown = expect.stringMatching(/^\$2b\$/);
  const login = await as(test).send('POST', '/auth/login', { email, password }, FROM);
  expect(login.status).toBe(200);
  expect(matches).toHaveBeenLastCalledWith(password, stored, '198.51.100.1');
  const admin = as(test, String(login.data['access_token']));
  const user = (await admin.get('/users/me?fields=id')).data['id'];
  expect((await admin.post('/users/me/tfa/generate', { password })).status).toBe(200);
  expect(matches).toHaveBeenLastCalledWith(password, stored, user);
});
