import { randomUUID } from 'node:crypto';
import { Reauthentication } from '../../src/users';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../support';

const PASSWORD = 'three-green-kettles';
const EMAIL = 'thief@example.com';

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());
afterEach(() => jest.restoreAllMocks());

const STORED = 'SELECT email, password FROM service_users WHERE id = $1';

describe('49: a user who is signed out after re-authenticating changes nothing of their account', () => {
  describe.each([
    ['by another password', { password: 'the-owners-new-one' }],
    ['by being suspended', { status: 'suspended' }],
  ])('%s', (_, meanwhile) => {
    it.each<[string, (thief: TestClient) => Promise<{ readonly status: number }>]>([
      [
        'the password',
        (thief) =>
          thief.patch('/users/me', { password: 'chosen-by-the-thief', current_password: PASSWORD }),
      ],
      [
        'the e-mail',
        (thief) => thief.patch('/users/me', { email: EMAIL, current_password: PASSWORD }),
      ],
      ['the whole user', (thief) => thief.delete('/users/me', { current_password: PASSWORD })],
    ])('%s', async (_name, change) => {
      const email = `${randomUUID()}@example.com`;
      const role = (await admin.get('/users/me?fields=role')).data['role'];
      const { data } = await admin.post('/users', { email, password: PASSWORD, role });
      const thief = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
      const reauthentication = test.app.get(Reauthentication, { strict: false });
      const check = reauthentication.check.bind(reauthentication);
      jest.spyOn(reauthentication, 'check').mockImplementation(async (...given) => {
        await check(...given);
        // Between re-authentication and the transaction.
        const changed = await admin.patch(`/users/${String(data['id'])}`, meanwhile);
        expect(changed.status).toBe(200);
        after.push((await test.database.query(STORED, [data['id']]))[0]);
      });
      const after: unknown[] = [];
      expect((await change(thief)).status).toBe(401);
      expect(await test.database.query(STORED, [data['id']])).toEqual(after);
      expect(after).toHaveLength(1);
    });
  });
});
