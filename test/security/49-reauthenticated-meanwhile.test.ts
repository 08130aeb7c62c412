import { randomUUID } from 'node:crypto';
import { Module } from '@nestjs/common';
import { type CollectionHooks, CollectionsModule, HooksOf } from 'doorward';
import { Reauthentication } from '../../src/users';
import {
  as,
  codeOf,
  enableTfa,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';

const PASSWORD = 'three-green-kettles';
const EMAIL = 'thief@example.com';

/** Runs once, when a request has been prepared and before its transaction. */
let meanwhile: (() => Promise<unknown>) | undefined;

@HooksOf('service_users')
class Meanwhile implements CollectionHooks {
  async prepare(): Promise<void> {
    const work = meanwhile;
    meanwhile = undefined;
    await work?.();
  }
}

@Module({ imports: [CollectionsModule.forFeature([])], providers: [Meanwhile] })
class MeanwhileModule {}

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await startTestApp({ imports: [MeanwhileModule] });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());
afterEach(() => jest.restoreAllMocks());

const STORED = `
  SELECT email, password, (SELECT count(*)::int4 FROM service_static_tokens WHERE "user" = $1) AS tokens
  FROM service_users WHERE id = $1`;

const makeToken = (thief: TestClient): Promise<Reply> =>
  thief.post('/users/me/tokens', { name: 'robot', current_password: PASSWORD });

/** Runs work between re-authentication and the transaction. */
function onceReauthenticated(work: () => Promise<void>): void {
  const reauthentication = test.app.get(Reauthentication, { strict: false });
  const check = reauthentication.check.bind(reauthentication);
  jest.spyOn(reauthentication, 'check').mockImplementationOnce(async (...given) => {
    await check(...given);
    await work();
  });
}

async function robbed() {
  const email = `${randomUUID()}@example.com`;
  const role = (await admin.get('/users/me?fields=role')).data['role'];
  const { data } = await admin.post('/users', { email, password: PASSWORD, role });
  const thief = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
  return { email, data, thief };
}

describe('49: a user who is signed out after re-authenticating changes nothing of their account', () => {
  describe.each<[string, (path: string) => Promise<Reply>]>([
    ['by another password', (path) => admin.patch(path, { password: 'the-owners-new-one' })],
    ['by being suspended', (path) => admin.patch(path, { status: 'suspended' })],
    ['by an administrator', (path) => admin.delete(`${path}/sessions`)],
  ])('%s', (_, change) => {
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
      ['the static tokens', makeToken],
    ])('%s', async (_name, attempt) => {
      const { data, thief } = await robbed();
      onceReauthenticated(async () => {
        const changed = await change(`/users/${String(data['id'])}`);
        expect(changed.status).toBeLessThan(300);
        after.push((await test.database.query(STORED, [data['id']]))[0]);
      });
      const after: unknown[] = [];
      expect((await attempt(thief)).status).toBe(401);
      expect(await test.database.query(STORED, [data['id']])).toEqual(after);
      expect(after).toHaveLength(1);
    });
  });
});

describe('49: a password that is replaced meanwhile no longer proves anything', () => {
  it.each<[string, (thief: TestClient) => Promise<Reply | { readonly status: number }>]>([
    [
      'for another password',
      (thief) =>
        thief.patch('/users/me', { password: 'chosen-by-the-thief', current_password: PASSWORD }),
    ],
    [
      'for another e-mail',
      (thief) => thief.patch('/users/me', { email: EMAIL, current_password: PASSWORD }),
    ],
    [
      'for the deletion of the user',
      (thief) => thief.delete('/users/me', { current_password: PASSWORD }),
    ],
    ['for a static token', makeToken],
  ])('even in the session that stays: %s', async (_, attempt) => {
    const { data, thief } = await robbed();
    const change = { password: 'the-owners-new-one', current_password: PASSWORD };
    const after: unknown[] = [];
    onceReauthenticated(async () => {
      expect((await thief.patch('/users/me', change)).codes).toEqual([]);
      after.push((await test.database.query(STORED, [data['id']]))[0]);
    });
    expect((await attempt(thief)).status).toBe(400);
    expect(await test.database.query(STORED, [data['id']])).toEqual(after);
    expect((await thief.get('/users/me')).status).toBe(200);
  });
});

describe('49: a one-time password no longer proves anything once the password is replaced', () => {
  it.each<[string, (thief: TestClient, otp: string) => Promise<Reply>]>([
    ['for another e-mail', (thief, otp) => thief.patch('/users/me', { email: EMAIL, otp })],
    ['for a static token', (thief, otp) => thief.post('/users/me/tokens', { name: 'robot', otp })],
  ])('even in the session that stays: %s', async (_, attempt) => {
    const { data, thief } = await robbed();
    const { secret } = await enableTfa(test, thief, PASSWORD);
    const change = { password: 'the-owners-new-one', current_password: PASSWORD };
    const after: unknown[] = [];
    onceReauthenticated(async () => {
      expect((await thief.patch('/users/me', change)).codes).toEqual([]);
      after.push((await test.database.query(STORED, [data['id']]))[0]);
    });
    const reply = await attempt(thief, codeOf(secret));
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(reply.text).toContain('"field":"otp"');
    expect(await test.database.query(STORED, [data['id']])).toEqual(after);
  });
});

describe('49: an address that was the own one until a moment ago is a change, which needs the proof', () => {
  const UPDATE_ITEM =
    'mutation ($id: ID!, $email: String) { update_users_item(id: $id, data: { email: $email }) { id } }';

  it.each<[string, (thief: TestClient, id: string, email: string) => Promise<Reply>]>([
    ['PATCH /users/me', (thief, _, email) => thief.patch('/users/me', { email })],
    ['PATCH /users/{id}', (thief, id, email) => thief.patch(`/users/${id}`, { email })],
    [
      'update_users_item',
      (thief, id, email) =>
        thief.post('/graphql/system', { query: UPDATE_ITEM, variables: { id, email } }),
    ],
  ])('at %s', async (_, attempt) => {
    const { email, data, thief } = await robbed();
    const id = String(data['id']);
    meanwhile = () => admin.patch(`/users/${id}`, { email: `new-${email}` });
    const reply = await attempt(thief, id, email);
    expect(meanwhile).toBeUndefined();
    expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
    expect(reply.text).toContain('"field":"current_password"');
    expect(await test.database.query(STORED, [id])).toMatchObject([{ email: `new-${email}` }]);
  });

  it('and the proof of another change in the same request is none', async () => {
    const { email, data, thief } = await robbed();
    const id = String(data['id']);
    const [own, latest] = [`own-${email}`, `latest-${email}`];
    meanwhile = async () => {
      meanwhile = () => admin.patch(`/users/${id}`, { email: latest });
    };
    const query = `mutation ($id: ID!, $proven: update_users_input!, $email: String) {
      one: update_users_item(id: $id, data: $proven) { id }
      two: update_users_item(id: $id, data: { email: $email }) { id }
    }`;
    const proven = { email: own, current_password: PASSWORD };
    const reply = await thief.post('/graphql/system', {
      query,
      variables: { id, proven, email: own },
    });
    expect(meanwhile).toBeUndefined();
    expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
    expect(await test.database.query(STORED, [id])).toMatchObject([{ email: latest }]);
  });
});
