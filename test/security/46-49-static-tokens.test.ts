import {
  as,
  codeOf,
  createPerson,
  enableTfa,
  type Person,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  TOKEN_TRANSPORTS,
  type TokenTransport,
  wrongCodeOf,
} from '../support';

const PASSWORD = 'a-password-of-theirs';
const NEW_PASSWORD = 'chosen-by-the-thief';

let test: TestApp;
let admin: TestClient;
let count = 0;

beforeAll(async () => {
  test = await startTestApp({ env: { RATE_LIMIT_CODES: '1000' } });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());

/** A user who may do anything with users: no rule is the reason for the refusals here. */
async function person(values: object = {}): Promise<Person> {
  count += 1;
  const permissions = ['read', 'create', 'update', 'delete'].map((action) => ({
    ...{ action, collection: 'service_users', fields: ['*'] },
  }));
  const policy = await admin.post('/policies', { name: `People ${count}`, permissions });
  return createPerson(test, admin, PASSWORD, { policies: [policy.data['id']], ...values });
}

async function tokenOf({ client }: Person, input: object = {}): Promise<TestClient> {
  const sent = { name: 'robot', current_password: PASSWORD, ...input };
  const { data, text, status } = await client.post('/users/me/tokens', sent);
  if (status !== 200) throw new Error(text);
  return as(test, String(data['token']));
}

const stored = async ({ id }: Person): Promise<unknown> => [
  await test.database.query('SELECT * FROM service_users WHERE id = $1', [id]),
  await test.database.query('SELECT id, name FROM service_static_tokens WHERE "user" = $1', [id]),
  await test.database.query('SELECT id FROM service_sessions WHERE "user" = $1', [id]),
];

const graphql = (client: TestClient, query: string): Promise<Reply> =>
  client.post('/graphql/system', { query });

describe.each(TOKEN_TRANSPORTS)(
  '49: a static token is made over $name',
  (transport: TokenTransport) => {
    it('with more than a stolen session: it needs the password or a one-time password', async () => {
      const ann = await person();
      const before = await stored(ann);
      const attempts: readonly (readonly [object, string])[] = [
        [{}, 'current_password'],
        [{ current_password: 'not-the-password' }, 'current_password'],
        [{ otp: '123456' }, 'otp'],
        [{ current_password: PASSWORD, otp: '123456' }, 'otp'],
      ];
      for (const [credentials, field] of attempts) {
        const { reply, made } = await transport.create(ann.client, {
          name: 'stolen',
          ...credentials,
        });
        expect([reply.codes, made]).toEqual([['INVALID_PAYLOAD'], undefined]);
        expect(reply.text).toContain(field);
      }
      expect(await stored(ann)).toEqual(before);
    });

    it('with a code where there is a second factor, once', async () => {
      const ann = await person();
      const { secret } = await enableTfa(test, ann.client, PASSWORD);
      const wrong = await transport.create(ann.client, { name: 'one', otp: wrongCodeOf(secret) });
      expect(wrong.reply.codes).toEqual(['INVALID_PAYLOAD']);
      const otp = codeOf(secret);
      expect((await transport.create(ann.client, { name: 'one', otp })).made).toBeDefined();
      expect((await transport.create(ann.client, { name: 'two', otp })).reply.codes).toEqual([
        'INVALID_PAYLOAD',
      ]);
    });

    it('by nobody who only has another static token', async () => {
      const ann = await person();
      const robot = await tokenOf(ann);
      const before = await stored(ann);
      const { reply } = await transport.create(robot, {
        name: 'child',
        current_password: PASSWORD,
      });
      expect(reply.codes).toEqual(['FORBIDDEN']);
      expect((await transport.list(robot)).reply.codes).toEqual(['FORBIDDEN']);
      const [own] = (await transport.list(ann.client)).tokens;
      expect((await transport.endOne(robot, own?.['id'])).codes).toEqual(['FORBIDDEN']);
      expect(await stored(ann)).toEqual(before);
    });
  },
);

const credentials = { current_password: PASSWORD };

/** Everything that users can do with their own account, each with all required parameters. */
const OWN: Readonly<Record<string, (client: TestClient, ann: Person) => Promise<Reply>>> = {
  'PATCH /users/me': (client) => client.patch('/users/me', { first_name: 'Robot' }),
  'PATCH /users/me, password': (client) =>
    client.patch('/users/me', { password: NEW_PASSWORD, ...credentials }),
  'PATCH /users/:own, password': (client, { id }) =>
    client.patch(`/users/${id}`, { password: NEW_PASSWORD, ...credentials }),
  'PATCH /users/:own, email': (client, { id }) =>
    client.patch(`/users/${id}`, { email: 'robot@example.com', ...credentials }),
  'DELETE /users/me': (client) => client.delete('/users/me', credentials),
  'GET /users/me/sessions': (client) => client.get('/users/me/sessions'),
  'DELETE /users/me/sessions': (client) => client.delete('/users/me/sessions'),
  'POST /users/me/tfa/generate': (client) =>
    client.post('/users/me/tfa/generate', { password: PASSWORD }),
  'POST /users/me/tfa/enable': (client) =>
    client.post('/users/me/tfa/enable', { secret: 'JBSWY3DPEHPK3PXP', otp: '123456' }),
  'POST /users/me/tfa/disable': (client) => client.post('/users/me/tfa/disable', { otp: '123456' }),
  update_users_me: (client) =>
    graphql(client, 'mutation { update_users_me(data: { first_name: "Robot" }) { id } }'),
  'update_users_item, password': (client, { id }) =>
    graphql(
      client,
      `mutation { update_users_item(id: "${id}", data: { password: "${NEW_PASSWORD}", current_password: "${PASSWORD}" }) { id } }`,
    ),
  delete_users_me: (client) =>
    graphql(client, `mutation { delete_users_me(current_password: "${PASSWORD}") { id } }`),
  users_me_sessions: (client) => graphql(client, '{ users_me_sessions { id } }'),
  delete_users_me_sessions: (client) => graphql(client, 'mutation { delete_users_me_sessions }'),
  users_me_tfa_generate: (client) =>
    graphql(client, `mutation { users_me_tfa_generate(password: "${PASSWORD}") { secret } }`),
  users_me_tfa_enable: (client) =>
    graphql(
      client,
      'mutation { users_me_tfa_enable(secret: "JBSWY3DPEHPK3PXP", otp: "123456") { recovery_codes } }',
    ),
  users_me_tfa_disable: (client) =>
    graphql(client, 'mutation { users_me_tfa_disable(otp: "123456") }'),
};

describe('49: with a static token no one can act on their own account', () => {
  it.each(Object.keys(OWN))('%s', async (name) => {
    const ann = await person();
    const robot = await tokenOf(ann);
    const before = await stored(ann);
    const reply = await OWN[name]?.(robot, ann);
    expect(reply?.codes).toEqual(['FORBIDDEN']);
    expect(await stored(ann)).toEqual(before);
  });

  it('DELETE /users/:own, in any form', async () => {
    const ann = await person();
    const robot = await tokenOf(ann);
    const replies = [
      await robot.delete(`/users/${ann.id}`),
      await robot.delete('/users', [ann.id]),
      await graphql(robot, `mutation { delete_users_item(id: "${ann.id}") { id } }`),
    ];
    for (const { codes } of replies) expect(codes).toEqual(['INVALID_PAYLOAD']);
    expect((await ann.client.get('/users/me')).status).toBe(200);
  });

  it('not even administrators, who cannot end their own sessions or tokens', async () => {
    const sent = { name: 'operator', current_password: TEST_ADMIN.password };
    const { data } = await admin.post('/users/me/tokens', sent);
    const robot = as(test, String(data['token']));
    const { data: own } = await robot.get('/users/me?fields=id');
    const replies = [
      await robot.delete(`/users/${String(own['id'])}/tokens`),
      await robot.delete(`/users/${String(own['id']).toUpperCase()}/sessions`),
      await graphql(robot, `mutation { delete_users_tokens(id: "${String(own['id'])}") }`),
      await graphql(robot, `mutation { delete_users_sessions(id: "${String(own['id'])}") }`),
    ];
    for (const { codes } of replies) expect(codes).toEqual(['FORBIDDEN']);
    expect((await admin.get('/users/me')).status).toBe(200);
    const bob = await person();
    const bobs = await tokenOf(bob);
    expect((await robot.delete(`/users/${bob.id}/tokens`)).status).toBe(204);
    expect((await bobs.get('/users/me')).status).toBe(401);
    expect((await robot.delete(`/users/${bob.id}/sessions`)).status).toBe(204);
    expect((await bob.client.get('/users/me')).status).toBe(401);
  });

  it('but users can read their profile, and do what rules allow', async () => {
    const ann = await person();
    const robot = await tokenOf(ann);
    expect((await robot.get('/users/me?fields=email')).data).toEqual({ email: ann.email });
    const asked = await graphql(robot, '{ users_me { email } }');
    expect(asked.data).toEqual({ users_me: { email: ann.email } });
    const bob = await person();
    const changed = await robot.patch(`/users/${bob.id}?fields=title`, { title: 'Builder' });
    expect(changed.data).toEqual({ title: 'Builder' });
  });
});

describe('49: a static token is not made', () => {
  it('with the old password after the user has changed it', async () => {
    const ann = await person();
    const requests = Array.from({ length: 6 }, (_, index) =>
      index === 3
        ? ann.client.patch('/users/me', { password: NEW_PASSWORD, ...credentials })
        : ann.client.post('/users/me/tokens', { name: `${index}`, ...credentials }),
    );
    const replies = await Promise.all(requests);
    expect(replies[3]?.status).toBe(200);
    for (const { status } of replies) expect([200, 400, 401]).toContain(status);
    // Whatever the order: a token made before has ended, and a later request was refused.
    const [, left] = (await stored(ann)) as [unknown, unknown[]];
    expect(left).toEqual([]);
  });
});

describe('46: a policy that asks for a second factor', () => {
  it('bars a static token of its user, whichever policies it leaves out', async () => {
    const reading = await admin.post('/policies', {
      name: 'Reading roles',
      permissions: [{ collection: 'service_roles', action: 'read', fields: ['name'] }],
    });
    const key = String(reading.data['id']);
    const ann = await person({ policies: [key] });
    const robots = [
      await tokenOf(ann),
      await tokenOf(ann, { policies: [key] }),
      await tokenOf(ann, { policies: [] }),
    ] as const;
    expect((await robots[1].get('/roles?fields=name')).status).toBe(200);
    const guard = await admin.post('/policies', { name: 'Guard', enforce_tfa: true });
    await admin.post('/access', { user: ann.id, policy: guard.data['id'] });
    for (const robot of robots) {
      const refused = await robot.get('/roles?fields=name');
      expect([refused.status, refused.codes]).toEqual([403, ['FORBIDDEN']]);
      expect(refused.text).toContain('two-factor');
      const asked = await graphql(robot, '{ roles { name } }');
      expect([asked.codes, asked.text.includes('two-factor')]).toEqual([['FORBIDDEN'], true]);
      expect((await robot.get('/users/me')).data).toEqual({ id: ann.id, email: ann.email });
    }
    await enableTfa(test, ann.client, PASSWORD);
    expect((await robots[1].get('/roles?fields=name')).status).toBe(200);
    expect((await robots[2].get('/roles?fields=name')).status).toBe(403);
  });
});
