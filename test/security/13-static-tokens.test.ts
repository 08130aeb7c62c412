import {
  as,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  TOKEN_TRANSPORTS,
  type TokenTransport,
} from '../support';

const PASSWORD = 'three-green-kettles';
const ROUNDS = 8;

let test: TestApp;
let admin: TestClient;
let ann: TestClient;
let annId: string;
let administration: string;
const policies: Record<string, string> = {};

const rule = (collection: string, action: string, fields: readonly string[]): object => ({
  ...{ collection, action, fields },
  permissions: collection === 'service_users' ? { id: { _eq: '$CURRENT_USER' } } : {},
});

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  const rules: Readonly<Record<string, readonly object[]>> = {
    people: [rule('service_users', 'read', ['id', 'email'])],
    names: [rule('service_users', 'read', ['id', 'first_name'])],
    roles: [rule('service_roles', 'read', ['id', 'name'])],
    spare: [rule('service_policies', 'read', ['id'])],
  };
  for (const [name, permissions] of Object.entries(rules)) {
    const { data } = await admin.post('/policies', { name, permissions });
    policies[name] = String(data['id']);
  }
  const found = await admin.get('/policies?filter[admin_access][_eq]=true&fields=id');
  administration = String((found.data as unknown as { id: string }[])[0]?.id);
  const email = 'ann@example.com';
  const held = [...['people', 'names', 'roles'].map((name) => policies[name]), administration];
  const made = await admin.post('/users', { email, password: PASSWORD, policies: held });
  if (made.status !== 200) throw new Error(made.text);
  annId = String(made.data['id']);
  ann = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
});

afterEach(async () => {
  expect((await admin.delete(`/users/${annId}/tokens`)).status).toBe(204);
});

afterAll(() => test.close());

async function make(transport: TokenTransport, only?: readonly string[]): Promise<TestClient> {
  const { reply, made } = await transport.create(ann, {
    ...{ name: 'narrow', current_password: PASSWORD },
    ...(only && { policies: only.map((name) => policies[name] ?? name) }),
  });
  if (!made) throw new Error(reply.text);
  return as(test, String(made['token']));
}

/** Each request with the number of different answers that the eight clients get. */
const ASKED: readonly (readonly [string, number, (client: TestClient) => Promise<Reply>])[] = [
  ['/users', 5, (client) => client.get(`/users/${annId}`)],
  ['/roles', 2, (client) => client.get('/roles?fields=name&limit=1')],
  ['/permissions/me', 6, (client) => client.get('/permissions/me')],
  [
    'graphql',
    6,
    (client) =>
      client.post('/graphql/system', { query: '{ permissions_me users { id } roles { id } }' }),
  ],
];

describe.each(TOKEN_TRANSPORTS)('13: among tokens of one user, made over $name,', (transport) => {
  it.each(ASKED)(
    'each gets its own answer, whichever was used before (%s)',
    async (_, answers, ask) => {
      const clients = [
        await make(transport),
        await make(transport, ['people']),
        await make(transport, ['names']),
        await make(transport, ['people', 'names']),
        await make(transport, ['roles']),
        await make(transport, []),
        ann,
        admin,
      ];
      const seen = async (client: TestClient): Promise<string> => {
        const { status, text } = await ask(client);
        return `${status} ${text}`;
      };
      const first: string[] = [];
      for (const client of clients) first.push(await seen(client));
      expect(new Set(first).size).toBe(answers);
      for (let round = 0; round < ROUNDS; round += 1) {
        const order = clients.map((_, index) => (index * 3 + round) % clients.length);
        const again = await Promise.all(order.map((index) => seen(clients[index] as TestClient)));
        expect(again).toEqual(order.map((index) => first[index]));
      }
    },
  );

  it('one has administrator rights only with that policy', async () => {
    const [whole, narrow, administrator] = [
      await make(transport),
      await make(transport, ['people', 'roles']),
      await make(transport, [administration]),
    ];
    const settings = (client: TestClient): Promise<Reply> => client.get('/settings');
    expect((await settings(whole)).status).toBe(200);
    expect((await settings(narrow)).status).toBe(403);
    expect((await settings(administrator)).status).toBe(200);
    expect((await narrow.patch(`/users/${annId}`, { first_name: 'Ann' })).codes).toEqual([
      'FORBIDDEN',
    ]);
    expect(Object.keys((await narrow.get(`/users/${annId}`)).data)).toEqual(['id', 'email']);
  });

  it('none has a policy that its user does not hold, when it is made or later', async () => {
    const nobodys = '00000000-0000-4000-8000-000000000000';
    const texts = new Set<string>();
    for (const id of [policies['spare'], nobodys]) {
      const { reply, made } = await transport.create(ann, {
        ...{ name: 'wider', current_password: PASSWORD },
        policies: [policies['people'], id],
      });
      expect([reply.codes, made]).toEqual([['INVALID_PAYLOAD'], undefined]);
      expect(reply.text).toContain('policies');
      texts.add(reply.text);
    }
    expect(texts.size).toBe(1);
    const { tokens } = await transport.list(ann);
    expect(tokens.map(({ name }) => name)).not.toContain('wider');
  });

  it('a policy that applies only from one address does so for a token too', async () => {
    const far = await admin.post('/policies', {
      name: 'Elsewhere',
      ip_access: ['203.0.113.0/24'],
      permissions: [rule('service_policies', 'read', ['id'])],
    });
    const key = String(far.data['id']);
    await admin.post('/access', { user: annId, policy: key });
    const token = await make(transport, [key]);
    expect((await token.get('/policies')).codes).toEqual(['FORBIDDEN']);
    await admin.patch(`/policies/${key}`, { ip_access: [] });
    expect((await token.get('/policies?limit=1')).status).toBe(200);
    await admin.delete(`/policies/${key}`);
    expect((await token.get('/policies')).codes).toEqual(['FORBIDDEN']);
  });

  it('a token has no rights from the policies that it leaves out, although its user holds them', async () => {
    const giving = await admin.post('/policies', {
      name: 'Giving',
      permissions: [
        rule('service_access', 'create', ['*']),
        rule('service_access', 'read', ['*']),
        rule('service_policies', 'read', ['id']),
        { ...rule('service_users', 'read', ['id']), permissions: {} },
      ],
    });
    const key = String(giving.data['id']);
    await admin.post('/access', { user: annId, policy: key });
    const bob = await admin.post('/users', { email: `bob-${transport.name}@example.com` });
    const [some, more] = [await make(transport, [key]), await make(transport, [key, 'roles'])];
    const row = { user: bob.data['id'], policy: policies['roles'] };
    const rows = async (): Promise<unknown> =>
      (await admin.get(`/access?filter[user][_eq]=${String(row.user)}`)).data;
    expect((await some.post('/access', row)).codes).toEqual(['FORBIDDEN']);
    expect(await rows()).toEqual([]);
    expect((await more.post('/access', row)).codes).toEqual([]);
    expect(await rows()).toMatchObject([row]);
    await admin.delete(`/policies/${key}`);
  });
});
