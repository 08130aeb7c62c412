import {
  as,
  codeOf,
  createPerson,
  enableTfa,
  forgetSteps,
  type Person,
  signIn,
  signInWith,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  type Reply,
} from '../support';

const PASSWORD = 'a-password-of-theirs';
const NEW_PASSWORD = 'chosen-by-the-thief';
const NEW_EMAIL = 'thief@example.com';

let test: TestApp;
let admin: TestClient;
let administrators: unknown;

beforeAll(async () => {
  test = await startTestApp({ env: { RATE_LIMIT_CODES: '1000' } });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  administrators = (await admin.get('/users/me?fields=role')).data['role'];
});

afterAll(() => test.close());

/** An administrator: no rule is the reason for the refusals. */
const person = (more: object = { role: administrators }): Promise<Person> =>
  createPerson(test, admin, PASSWORD, more);

const stored = async ({ id }: Person): Promise<unknown> =>
  test.database.query('SELECT * FROM service_users WHERE id = $1::uuid', [id]);

const graphql = (client: TestClient, query: string, variables: object = {}): Promise<Reply> =>
  client.post('/graphql/system', { query, variables });

type Send = (person: Person, data: Readonly<Record<string, unknown>>) => Promise<Reply>;

/** Updates of only the caller's own user: these accept a re-authentication. */
const DIRECT: Readonly<Record<string, Send>> = {
  'PATCH /users/me': ({ client }, data) => client.patch('/users/me', data),
  'PATCH /users/{id}': ({ client, id }, data) => client.patch(`/users/${id}`, data),
  'PATCH /users/{ID}': ({ client, id }, data) => client.patch(`/users/${id.toUpperCase()}`, data),
  update_users_me: ({ client }, data) =>
    graphql(
      client,
      'mutation ($data: update_users_input!) { update_users_me(data: $data) { email } }',
      { data },
    ),
  update_users_item: ({ client, id }, data) =>
    graphql(
      client,
      'mutation ($id: ID!, $data: update_users_input!) { update_users_item(id: $id, data: $data) { email } }',
      { id, data },
    ),
};

/** All other ways to the same row: these are refused even with a re-authentication. */
const INDIRECT: Readonly<Record<string, Send>> = {
  'PATCH /users [{id, …}]': ({ client, id }, data) => client.patch('/users', [{ id, ...data }]),
  'PATCH /users {keys, data}': ({ client, id }, data) =>
    client.patch('/users', { keys: [id], data }),
  'PATCH /users {query, data}': ({ client, id }, data) =>
    client.patch('/users', { query: { filter: { id: { _eq: id } } }, data }),
  'PATCH /users {id: […], …}': ({ client, id }, data) =>
    client.patch('/users', { id: [id], ...data }),
  'PATCH /roles/{id} {users: {update}}': ({ client, id }, data) =>
    client.patch(`/roles/${String(administrators)}`, { users: { update: [{ id, ...data }] } }),
  update_users_items: ({ client, id }, data) =>
    graphql(
      client,
      'mutation ($id: [ID!]!, $data: update_users_input!) { update_users_items(id: $id, data: $data) { email } }',
      { id: [id], data },
    ),
  update_users_batch: ({ client, id }, data) =>
    graphql(
      client,
      'mutation ($data: [update_users_input!]) { update_users_batch(data: $data) { email } }',
      { data: [{ id, ...data }] },
    ),
};

const CHANGES = [{ password: NEW_PASSWORD }, { email: NEW_EMAIL }];
const fieldOf = ({ body }: Reply): unknown =>
  (body as { errors: { extensions: { field?: unknown } }[] }).errors[0]?.extensions.field;

describe.each(Object.entries(DIRECT))('49: a stolen session, by %s,', (_, send) => {
  it('changes neither password nor e-mail', async () => {
    const ann = await person();
    const bob = await person();
    const before = await stored(ann);
    const attempts: [object, string][] = [
      [{}, 'current_password'],
      [{ current_password: 'not-the-password' }, 'current_password'],
      [{ current_password: NEW_PASSWORD }, 'current_password'],
      [{ current_password: '**********' }, 'current_password'],
      [{ current_password: '' }, 'current_password'],
      [{ otp: '123456' }, 'otp'],
      [{ otp: '' }, 'otp'],
      [{ current_password: PASSWORD, otp: '123456' }, 'otp'],
    ];
    for (const change of CHANGES) {
      for (const [credentials, field] of attempts) {
        const reply = await send(ann, { ...change, ...credentials });
        expect([reply.codes, fieldOf(reply)]).toEqual([['INVALID_PAYLOAD'], field]);
        expect(reply.text).not.toContain(NEW_PASSWORD);
      }
    }
    expect(await stored(ann)).toEqual(before);
    expect((await bob.client.get('/users/me')).status).toBe(200);
  });

  it('but the owner can with the password', async () => {
    const ann = await person();
    const email = `new-${ann.email}`;
    const change = { email, password: NEW_PASSWORD, current_password: PASSWORD };
    expect((await send(ann, change)).codes).toEqual([]);
    expect((await signInWith(test, ann.email, PASSWORD)).status).toBe(401);
    expect((await signInWith(test, email, NEW_PASSWORD)).status).toBe(200);
    // The session that changed it stays valid.
    expect((await ann.client.get('/users/me')).status).toBe(200);
  });

  it('but the owner can with a one-time password, once', async () => {
    const ann = await person();
    const { secret } = await enableTfa(test, ann.client, PASSWORD);
    const otp = codeOf(secret);
    const email = `new-${ann.email}`;
    expect((await send(ann, { email, otp })).codes).toEqual([]);
    expect((await send(ann, { password: NEW_PASSWORD, otp })).codes).toEqual(['INVALID_PAYLOAD']);
    await forgetSteps(test);
    expect((await signInWith(test, email, PASSWORD, codeOf(secret))).status).toBe(200);
  });

  it('and a password that is refused does not use up the one-time password', async () => {
    const ann = await person();
    const otp = codeOf((await enableTfa(test, ann.client, PASSWORD)).secret);
    const weak = await send(ann, { password: 'short', otp });
    expect(weak.codes).toEqual(['FAILED_VALIDATION']);
    expect((await send(ann, { password: NEW_PASSWORD, otp })).codes).toEqual([]);
  });

  it('needs no re-authentication for harmless changes, nor for unchanged values', async () => {
    const ann = await person();
    const harmless = { first_name: 'Ann', email: ann.email, password: '**********' };
    expect((await send(ann, harmless)).codes).toEqual([]);
    expect((await signInWith(test, ann.email, PASSWORD)).status).toBe(200);
  });
});

describe.each(Object.entries(INDIRECT))('49: a stolen session, by %s,', (_, send) => {
  it('changes neither password nor e-mail, not even for the owner', async () => {
    const ann = await person();
    const before = await stored(ann);
    for (const change of CHANGES) {
      for (const credentials of [{}, { current_password: PASSWORD }]) {
        const reply = await send(ann, { ...change, ...credentials });
        expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
      }
    }
    expect(await stored(ann)).toEqual(before);
    expect((await send(ann, { first_name: 'Ann' })).codes).toEqual([]);
  });
});

const LEAVING: Readonly<Record<string, (person: Person, credentials: object) => Promise<Reply>>> = {
  'DELETE /users/me': ({ client }, credentials) => client.delete('/users/me', credentials),
  delete_users_me: ({ client }, credentials) =>
    graphql(
      client,
      'mutation ($current_password: String, $otp: String) { delete_users_me(current_password: $current_password, otp: $otp) { id } }',
      credentials,
    ),
};

describe.each(Object.entries(LEAVING))('49: deleting the caller’s own user by %s', (_, leave) => {
  it('needs the password or a one-time password', async () => {
    const ann = await person();
    const send = (credentials: object) => leave(ann, credentials);
    for (const credentials of [{}, { current_password: 'not-the-password' }, { otp: '123456' }]) {
      expect((await send(credentials)).codes).toEqual(['INVALID_PAYLOAD']);
    }
    expect((await signInWith(test, ann.email, PASSWORD)).status).toBe(200);
    // Forms send null for an empty field.
    expect((await send({ current_password: PASSWORD, otp: null })).codes).toEqual([]);
    expect(await stored(ann)).toEqual([]);
    expect((await ann.client.get('/users/me')).status).toBe(401);
  });

  it('needs a rule as well', async () => {
    const ann = await person({});
    const reply = await leave(ann, { current_password: PASSWORD });
    expect(reply.codes).toEqual(['FORBIDDEN']);
    expect(await stored(ann)).toHaveLength(1);
  });
});

describe('49: a stolen session', () => {
  it('cannot delete its user by any other route', async () => {
    const ann = await person();
    const { client, id } = ann;
    const replies = [
      await client.delete(`/users/${id}`),
      await client.delete('/users', [id]),
      await client.delete('/users', { query: { filter: { id: { _eq: id } } } }),
      await graphql(client, `mutation { delete_users_item(id: "${id}") { id } }`),
      await graphql(client, `mutation { delete_users_items(ids: ["${id}"]) { ids } }`),
    ];
    for (const reply of replies) expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
    expect(await stored(ann)).toHaveLength(1);
  });

  it('neither reads the second factor nor sets, replaces or removes it', async () => {
    const ann = await person();
    const { secret, codes } = await enableTfa(test, ann.client, PASSWORD);
    const before = await stored(ann);
    for (const send of [...Object.values(DIRECT), ...Object.values(INDIRECT)]) {
      for (const tfa_secret of [null, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', '']) {
        const reply = await send(ann, { tfa_secret });
        expect([reply.codes, fieldOf(reply)]).toEqual([['INVALID_PAYLOAD'], 'tfa_secret']);
      }
    }
    const turnedOff = await ann.client.post('/users/me/tfa/disable', { otp: '123456' });
    expect(turnedOff.codes).toEqual(['INVALID_PAYLOAD']);
    const shown = await ann.client.get('/users/me?fields=*');
    expect(shown.data['tfa_secret']).toBe('**********');
    expect(await stored(ann)).toEqual(before);
    const tables = ['service_users', 'service_two_factor', 'service_two_factor_offers'];
    for (const table of tables) {
      const text = JSON.stringify(await test.database.query(`SELECT * FROM ${table}`));
      for (const canary of [secret, ...codes]) expect(text).not.toContain(canary);
    }
  });

  it('sets no second factor for others: neither for created nor for changed users', async () => {
    const bob = await person({});
    const tfa_secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const replies = [
      await admin.post('/users', { email: 'made@example.com', tfa_secret }),
      await admin.patch(`/users/${bob.id}`, { tfa_secret }),
      await graphql(
        admin,
        `mutation { update_users_item(id: "${bob.id}", data: { tfa_secret: "${tfa_secret}" }) { id } }`,
      ),
    ];
    for (const reply of replies) {
      expect([reply.codes, fieldOf(reply)]).toEqual([['INVALID_PAYLOAD'], 'tfa_secret']);
    }
    expect((await signInWith(test, bob.email, PASSWORD)).status).toBe(200);
  });

  it('cannot re-authenticate in a change of another user, where no such field exists', async () => {
    const bob = await person({});
    const sent = { password: NEW_PASSWORD, current_password: TEST_ADMIN.password };
    const reply = await admin.patch(`/users/${bob.id}`, sent);
    expect([reply.codes, fieldOf(reply)]).toEqual([['INVALID_PAYLOAD'], 'current_password']);
    expect((await admin.patch(`/users/${bob.id}`, { password: NEW_PASSWORD })).status).toBe(200);
  });
});

describe('the caller’s own password', () => {
  it('is changed without a rule at /users/me, and nothing else is', async () => {
    const ann = await person({});
    const credentials = { current_password: PASSWORD };
    for (const more of [{ email: NEW_EMAIL }, { role: administrators }, { status: 'active' }]) {
      const refused = await ann.client.patch('/users/me', { ...more, ...credentials });
      expect(refused.codes).toEqual(['FORBIDDEN']);
    }
    const change = { password: NEW_PASSWORD, ...credentials };
    expect((await ann.client.patch(`/users/${ann.id}`, change)).codes).toEqual(['FORBIDDEN']);
    const mixed = await ann.client.patch('/users/me', { ...change, first_name: 'Ann' });
    expect(mixed.codes).toEqual(['FORBIDDEN']);
    const changed = await ann.client.patch('/users/me?fields=id,email', change);
    expect(changed.data).toEqual({ id: ann.id, email: ann.email });
    expect((await signInWith(test, ann.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('is checked like any other', async () => {
    const ann = await person({});
    const weak = { password: 'short', current_password: PASSWORD };
    expect((await ann.client.patch('/users/me', weak)).codes).toEqual(['FAILED_VALIDATION']);
    expect((await signInWith(test, ann.email, PASSWORD)).status).toBe(200);
  });
});
