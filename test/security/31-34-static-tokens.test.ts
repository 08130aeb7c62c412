import {
  as,
  waitForNotifications,
  changeBySql,
  createPerson,
  type Person,
  recordMails,
  type RecordedMails,
  makeTestStorage,
  onPostgres,
  type Reply,
  startTestApp,
  signIn,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  type TestStorage,
  TOKEN_TRANSPORTS,
  tokenIn,
  type TokenTransport,
} from '../support';

const PASSWORD = 'three-green-kettles';
const NEW_PASSWORD = 'four-green-kettles';
const NOWHERE = '00000000-0000-4000-8000-000000000000';
const [REST, GRAPHQL] = TOKEN_TRANSPORTS as [TokenTransport, TokenTransport];

let storage: TestStorage;
/** On PostgreSQL two on one database; the embedded database serves only one. */
let instances: TestApp[] = [];
let admin: TestClient;
/** Any instance may execute the jobs that another has queued. */
let recorded: RecordedMails[];

beforeAll(async () => {
  storage = await makeTestStorage();
  const start = (): Promise<TestApp> => startTestApp({ storage: storage.storage });
  instances = [await start()];
  if (onPostgres() !== undefined) instances.push(await start());
  recorded = instances.map(recordMails);
  admin = as(here(), (await signIn(here(), TEST_ADMIN)).access_token);
});

afterAll(async () => {
  for (const instance of instances) await instance.close();
  await storage.drop();
});

const here = (): TestApp => instances[0] as TestApp;

const person = (values: object = {}): Promise<Person> =>
  createPerson(here(), admin, PASSWORD, values);

interface Token {
  readonly id: string;
  readonly token: string;
}

async function make(over: TokenTransport, { client }: Person, input: object = {}): Promise<Token> {
  const { reply, made } = await over.create(client, {
    ...{ name: 'reports', current_password: PASSWORD },
    ...input,
  });
  if (!made) throw new Error(`No token was made: ${reply.text}`);
  return { id: String(made['id']), token: String(made['token']) };
}

const me = (instance: TestApp, { token }: Token): Promise<Reply> =>
  as(instance, token).get('/users/me?fields=id');

/** Asks each instance; all have cached the tokens. The others are notified of an end a moment after its answer. */
async function serve(tokens: readonly Token[], serving: readonly boolean[]): Promise<void> {
  for (const instance of instances) {
    if (instance !== here()) await waitForNotifications(instance);
    const replies = await Promise.all(tokens.map((token) => me(instance, token)));
    expect(replies.map(({ status, codes }) => [status, codes])).toEqual(
      serving.map((each) => (each ? [200, []] : [401, ['INVALID_CREDENTIALS']])),
    );
  }
}

describe.each(TOKEN_TRANSPORTS)('31: over $name, a static token', (transport) => {
  it('that its user ended is void with the next request, on every instance, and the others are not', async () => {
    const ann = await person();
    const tokens = [await make(transport, ann), await make(transport, ann)] as const;
    await serve(tokens, [true, true]);
    expect((await transport.endOne(ann.client, tokens[0].id.toUpperCase())).codes).toEqual([]);
    await serve(tokens, [false, true]);
    expect((await transport.endOne(ann.client, tokens[0].id)).codes).toEqual(['FORBIDDEN']);
    expect((await ann.client.get('/users/me')).status).toBe(200);
  });

  it('cannot be ended by anyone else, who does not learn whether it exists', async () => {
    const [ann, thief] = [await person(), await person()];
    const token = await make(transport, ann);
    const texts = new Set<string>();
    for (const id of [token.id, NOWHERE, 'x', `${token.id}'`, 'me']) {
      const reply = await transport.endOne(thief.client, id);
      expect(reply.codes).toEqual(['FORBIDDEN']);
      texts.add(reply.text);
    }
    expect(texts.size).toBe(1);
    for (const id of [ann.id, NOWHERE, 'x']) {
      expect((await transport.endAllOf(thief.client, id)).codes).toEqual(['FORBIDDEN']);
    }
    await serve([token], [true]);
  });

  it('remains valid when its user signs out, also when used for that', async () => {
    const ann = await person();
    const token = await make(transport, ann);
    const { refresh_token } = await signIn(here(), { email: ann.email, password: PASSWORD });
    const replies = [
      await as(here(), token.token).post('/auth/logout', { refresh_token }),
      await as(here(), token.token).post('/auth/logout', {}),
      await as(here(), token.token).post('/auth/logout', { refresh_token: token.token }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([204, 400, 204]);
    await serve([token], [true]);
  });
});

type End = (person: Person) => Promise<Reply | undefined>;

/** What ends all static tokens of a user. */
const ENDS: readonly (readonly [string, End])[] = [
  [
    'their password is changed by themselves',
    ({ client }) =>
      client.patch('/users/me', { password: NEW_PASSWORD, current_password: PASSWORD }),
  ],
  [
    'their password is changed by an administrator',
    ({ id }) => admin.patch(`/users/${id}`, { password: NEW_PASSWORD }),
  ],
  [
    'their password is reset',
    async ({ email }) => {
      await as(here()).post('/auth/password/request', { email });
      const mails = (await Promise.all(recorded.map((each) => each.to(email)))).flat();
      const token = tokenIn(mails.at(-1));
      return as(here()).post('/auth/password/reset', { token, password: NEW_PASSWORD });
    },
  ],
  ['they are suspended', ({ id }) => admin.patch(`/users/${id}`, { status: 'suspended' })],
  [
    'they are suspended among others',
    ({ id }) => admin.patch('/users', { keys: [id], data: { status: 'archived' } }),
  ],
  ['they are deleted', ({ id }) => admin.delete(`/users/${id}`)],
  [
    'the tokens’ rows are deleted by SQL',
    async ({ id }) => {
      await changeBySql(here(), 'DELETE FROM service_static_tokens WHERE "user" = $1', [id]);
      return undefined;
    },
  ],
];

describe('32, 33: all static tokens of a user', () => {
  it.each(ENDS)('are void, on every instance, once %s', async (_, end) => {
    const [ann, bystander] = [await person(), await person()];
    const tokens = [await make(REST, ann), await make(GRAPHQL, ann, { policies: [] })];
    const other = await make(REST, bystander);
    await serve([...tokens, other], [true, true, true]);
    const reply = await end(ann);
    expect(reply?.codes ?? []).toEqual([]);
    await serve([...tokens, other], [false, false, true]);
    const left = await here().database.query(
      'SELECT 1 FROM service_static_tokens WHERE "user" = $1',
      [ann.id],
    );
    expect(left).toEqual([]);
    // They stay void when the user is active again.
    await admin.patch(`/users/${ann.id}`, { status: 'active' });
    await serve(tokens, [false, false]);
  });

  it.each(TOKEN_TRANSPORTS)('are ended by an administrator over $name', async (transport) => {
    const [ann, bystander] = [await person(), await person()];
    const tokens = [
      await make(transport, ann),
      await make(transport, ann),
      await make(transport, bystander),
    ];
    await serve(tokens, [true, true, true]);
    expect((await transport.endAllOf(admin, ann.id)).codes).toEqual([]);
    await serve(tokens, [false, false, true]);
    expect((await ann.client.get('/users/me')).status).toBe(200);
    for (const id of [NOWHERE, 'x']) {
      expect((await transport.endAllOf(admin, id)).codes).toEqual(['FORBIDDEN']);
    }
  });

  it('are void while their user is not active, whatever changed the status', async () => {
    const ann = await person();
    const token = await make(REST, ann);
    await serve([token], [true]);
    const set = (status: string): Promise<void> =>
      changeBySql(here(), 'UPDATE service_users SET status = $2 WHERE id = $1', [ann.id, status]);
    await set('suspended');
    await serve([token], [false]);
    await set('active');
    await serve([token], [true]);
  });

  it('that have expired are distinguished from unknown ones', async () => {
    const ann = await person();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const token = await make(REST, ann, { expires_at });
    await serve([token], [true]);
    const expire = `UPDATE service_static_tokens SET expires_at = now() - interval '1 ms' WHERE id = $1`;
    await changeBySql(here(), expire, [token.id]);
    for (const instance of instances) {
      if (instance !== here()) await waitForNotifications(instance);
      const reply = await me(instance, token);
      expect([reply.status, reply.codes]).toEqual([401, ['TOKEN_EXPIRED']]);
      // Routes that ignore invalid tokens ignore an expired one too.
      expect((await as(instance, token.token).get('/server/ping')).status).toBe(200);
      const signedIn = await as(instance, token.token).post('/auth/login', {
        ...{ email: ann.email, password: PASSWORD },
      });
      expect(signedIn.status).toBe(200);
    }
  });
});

describe('33: rights that were taken away', () => {
  it('are gone from a static token with the next request, on every instance', async () => {
    const policy = await admin.post('/policies', {
      name: 'Reading people',
      permissions: [{ collection: 'service_users', action: 'read', fields: ['id'] }],
    });
    const key = String(policy.data['id']);
    const ann = await person({ policies: [key] });
    const tokens = [await make(REST, ann), await make(GRAPHQL, ann, { policies: [key] })];
    const read = async (status: number): Promise<void> => {
      for (const instance of instances) {
        if (instance !== here()) await waitForNotifications(instance);
        for (const { token } of tokens) {
          expect((await as(instance, token).get('/users?limit=1')).status).toBe(status);
        }
      }
    };
    await read(200);
    expect((await admin.patch(`/users/${ann.id}`, { policies: [] })).status).toBe(200);
    await read(403);
    expect((await admin.patch(`/users/${ann.id}`, { policies: [key] })).status).toBe(200);
    await read(200);
    expect((await admin.delete(`/policies/${key}`)).status).toBe(204);
    await read(403);
    // A policy that is created later with the same key is another one: the token does not have it.
    const again = {
      ...{ id: key, name: 'Reading people' },
      permissions: [{ collection: 'service_users', action: 'read', fields: ['id'] }],
    };
    expect((await admin.post('/policies', again)).status).toBe(200);
    expect((await admin.patch(`/users/${ann.id}`, { policies: [key] })).status).toBe(200);
    expect((await as(here(), tokens[0]?.token).get('/users?limit=1')).status).toBe(200);
    expect((await as(here(), tokens[1]?.token).get('/users?limit=1')).status).toBe(403);
  });
});

describe('34: a static token', () => {
  it('that was never issued is refused, whichever user it names', async () => {
    const ann = await person();
    const { token } = await make(REST, ann);
    const bob = await person();
    const other = await make(REST, bob);
    const forged = [
      // The name of one token with the secret of another.
      token.slice(0, 26) + other.token.slice(26),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `dwt_${'A'.repeat(65)}`,
      token.slice(0, -1),
      `${token}A`,
      token.toUpperCase(),
      `${token}.${token}.${token}`,
    ];
    for (const each of forged) {
      const reply = await as(here(), each).get('/users/me');
      expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
    }
    for (const authorization of [`bearer ${token}`, `BEARER ${token}`]) {
      const reply = await as(here()).send('GET', '/users/me', undefined, { authorization });
      expect(reply.data['id']).toBe(ann.id);
    }
  });
});
