import {
  type SeedData,
  emailOf,
  PASSWORD,
  type PolicySeed,
  read,
  type RuleSeed,
  seed,
  update,
  type World,
} from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { as, type Reply, signIn, startTestApp, type TestClient } from '../../support';

const MINE = { owner: { _eq: '$CURRENT_USER' } };
const ofRole = { category: { name: { _eq: '$CURRENT_ROLE.name' } } };
const ofPolicy = { body: { _in: '$CURRENT_POLICIES' } };

/** Policies that many users share: what each user gets depends on who they are, on their role and on their address. */
const POLICIES: Readonly<Record<string, readonly RuleSeed[] | PolicySeed>> = {
  owning: [
    read('articles', ['title'], MINE),
    update('articles', ['title'], MINE),
    read('service_users', ['first_name'], { id: { _eq: '$CURRENT_USER' } }),
  ],
  filing: [read('articles', ['title', 'category'], ofRole), read('categories', ['name'])],
  carrying: [read('articles', ['title', 'body'], ofPolicy)],
  pricing: [read('articles', ['price'], { _or: [MINE, ofRole] })],
  desk: {
    rules: [read('articles', ['secret'], MINE)],
    ip_access: ['10.1.0.0/16'],
  },
  public: [read('articles', ['title'], { status: { _eq: 'archived' } })],
};

const SEED: SeedData = {
  policies: POLICIES,
  roles: { World: { policies: ['filing'] }, Europe: { policies: ['filing'] } },
  users: {
    ann: { policies: ['owning', 'desk'], first_name: 'Ann' },
    bea: { policies: ['owning', 'desk'], first_name: 'Bea' },
    cat: { role: 'World' },
    dot: { role: 'Europe' },
    fay: { policies: ['owning', 'pricing'], role: 'Europe', first_name: 'Fay' },
    gus: { policies: ['carrying'] },
    eve: {},
  },
};

const WHO = ['ann', 'bea', 'cat', 'dot', 'fay', 'gus', 'eve', 'admin', null] as const;
const ROUNDS = 12;

let world: World;
let clients: ReadonlyMap<string | null, TestClient>;

beforeAll(async () => {
  const app = await startTestApp({ imports: [SampleModule], env: { TRUST_PROXY: '1' } });
  world = await seed(app, SEED);
  const admin = world.as('admin');
  const made = [
    await admin.post('/items/categories', [{ name: 'World' }, { name: 'Europe' }]),
    await admin.post(
      '/items/articles',
      world.fill([
        { title: 'Anns', owner: '<ann>', secret: 'of Ann', category: 1, price: '1' },
        { title: 'Beas', owner: '<bea>', secret: 'of Bea', category: 2, price: '2' },
        { title: 'Fays', owner: '<fay>', category: 1, price: '3' },
        { title: 'Archived', status: 'archived', body: '<carrying>', category: 2, price: '4' },
      ]),
    ),
  ];
  expect(made.map(({ status }) => status)).toEqual([200, 200]);
  clients = new Map(WHO.map((caller) => [caller, world.as(caller)]));
});

afterAll(() => world.app.close());

const seen = ({ status, text }: Reply): string => `${status} ${text}`;

/** Every caller sends the same request: over REST the same URL, over GraphQL the same document. */
const QUESTIONS: readonly (readonly [string, (client: TestClient) => Promise<Reply>])[] = [
  ['a plain list', (client) => client.get('/items/articles')],
  ['a plain page', (client) => client.get('/items/articles?limit=2')],
  ['a list', (client) => client.get('/items/articles?meta=*')],
  ['a field', (client) => client.get('/items/articles?fields=id,title')],
  ['an item', (client) => client.get('/items/articles/1')],
  ['another', (client) => client.get('/items/articles/2')],
  ['a filter', (client) => client.get('/items/articles?filter[owner][_eq]=$CURRENT_USER')],
  ['a search', (client) => client.get('/items/articles?fields=id&search=s')],
  ['groups', (client) => client.get('/items/articles?aggregate[count]=*&groupBy=title')],
  ['a relation', (client) => client.get('/items/categories?fields=name,articles.title')],
  ['a report', (client) => client.get('/permissions/me')],
  ['a report on an item', (client) => client.get('/permissions/me/articles/1')],
  ['collections', (client) => client.get('/collections')],
  ['fields', (client) => client.get('/fields/articles')],
  ['GraphQL', (client) => client.post('/graphql', { query: '{ articles { id title } }' })],
  [
    'GraphQL by id',
    (client) => client.post('/graphql', { query: '{ articles_by_id(id: "1") { title } }' }),
  ],
  [
    'GraphQL groups',
    (client) =>
      client.post('/graphql', { query: '{ articles_aggregated { countAll max { title } } }' }),
  ],
];

describe.each(QUESTIONS)('13: %s', (_, ask) => {
  it('is answered by the rights of the caller, whoever asked before', async () => {
    const first = new Map<string | null, string>();
    for (const caller of WHO) first.set(caller, seen(await ask(clientOf(caller))));
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = round % 2 === 0 ? WHO : WHO.toReversed();
      for (const caller of order)
        expect([caller, seen(await ask(clientOf(caller)))]).toEqual([caller, first.get(caller)]);
    }
    // All at once, in a mixed order, on the same connection pool.
    const mixed = Array.from({ length: ROUNDS }, (_, round) => [
      ...WHO.slice(round % 9),
      ...WHO.slice(0, round % 9),
    ]);
    const replies = await Promise.all(
      mixed.flat().map(async (caller) => [caller, seen(await ask(clientOf(caller)))] as const),
    );
    for (const [caller, text] of replies)
      expect([caller, text]).toEqual([caller, first.get(caller)]);
  });
});

const clientOf = (caller: string | null): TestClient => clients.get(caller) ?? as(world.app);

const titles = async (client: TestClient): Promise<unknown> => {
  const { data, codes } = await client.get('/items/articles?fields=title');
  return codes[0] ?? (data as unknown as { title: string }[]).map(({ title }) => title);
};

it('13: the defaults of a query are those of its caller, however many callers ask however often', async () => {
  const rounds = [1, 2, 3, 2, 0, 4, -1];
  for (const caller of WHO) {
    for (const path of ['/items/articles', '/users', '/roles', '/items/categories']) {
      for (const limit of rounds) {
        const plain = seen(await clientOf(caller).get(`${path}?limit=${limit}`));
        const spelled = await clientOf(caller).get(
          `${path}?limit=${limit}&fields=*&offset=0&search=`,
        );
        expect([caller, path, limit, plain]).toEqual([caller, path, limit, seen(spelled)]);
      }
    }
    for (const key of [1, 2, 1, 3, 99]) {
      const plain = seen(await clientOf(caller).get(`/items/articles/${key}`));
      const spelled = await clientOf(caller).get(`/items/articles/${key}?fields=*`);
      expect([caller, key, plain]).toEqual([caller, key, seen(spelled)]);
    }
  }
});

it('13: one URL has a different body for each caller', async () => {
  const all = await Promise.all(
    WHO.map(async (caller) => [caller, await titles(clientOf(caller))]),
  );
  expect(Object.fromEntries(all)).toEqual({
    ann: ['Anns', 'Archived'],
    bea: ['Beas', 'Archived'],
    cat: ['Anns', 'Fays', 'Archived'],
    dot: ['Beas', 'Archived'],
    fay: ['Beas', 'Fays', 'Archived'],
    gus: ['Archived'],
    eve: ['Archived'],
    admin: ['Anns', 'Beas', 'Fays', 'Archived'],
    null: ['Archived'],
  });
});

describe('13: one user', () => {
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const SECRET = '/items/articles?fields=title,secret';

  it('gets the answer for their current network', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const caller of ['ann', 'bea'] as const) {
        const [name, title] = caller === 'ann' ? ['of Ann', 'Anns'] : ['of Bea', 'Beas'];
        const inside = await clientOf(caller).send('GET', SECRET, undefined, from('10.1.2.3'));
        expect(inside.data).toContainEqual({ title, secret: name });
        const outside = await clientOf(caller).send('GET', SECRET, undefined, from('10.2.2.3'));
        expect(outside.codes).toEqual(['FORBIDDEN']);
        const mapped = await clientOf(caller).send(
          'GET',
          SECRET,
          undefined,
          from('::ffff:10.1.9.9'),
        );
        expect(mapped.text).toBe(inside.text);
        const query = { query: '{ articles { title secret } }' };
        const asked = [
          await clientOf(caller).send('POST', '/graphql', query, from('10.1.2.3')),
          await clientOf(caller).send('POST', '/graphql', query, from('10.2.2.3')),
        ];
        expect(asked.map(({ codes }) => codes)).toEqual([[], ['FORBIDDEN']]);
        expect(asked[0]?.text).toContain(name);
      }
    }
  });

  it('gets the same answer in both of their sessions', async () => {
    const other = as(
      world.app,
      (await signIn(world.app, { email: emailOf('ann'), password: PASSWORD })).access_token,
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      expect(await titles(other)).toEqual(['Anns', 'Archived']);
      expect(await titles(clientOf('bea'))).toEqual(['Beas', 'Archived']);
      expect(await titles(clientOf('ann'))).toEqual(['Anns', 'Archived']);
    }
  });

  it('gets another answer with the next request after their rights change', async () => {
    const admin = world.as('admin');
    const dot = `/users/${String(world.id('dot'))}`;
    for (const [role, expected] of [
      ['<World>', ['Anns', 'Fays', 'Archived']],
      ['<Europe>', ['Beas', 'Archived']],
      [null, ['Archived']],
      ['<Europe>', ['Beas', 'Archived']],
    ] as const) {
      expect((await admin.patch(dot, world.fill({ role }))).status).toBe(200);
      expect(await titles(clientOf('dot'))).toEqual(expected);
      expect(await titles(clientOf('cat'))).toEqual(['Anns', 'Fays', 'Archived']);
    }
  });

  it('writes as themselves, whoever wrote before to the same URL', async () => {
    const rename = (caller: string, id: number) =>
      clientOf(caller).patch(`/items/articles/${id}`, { title: `by ${caller}` });
    for (let round = 0; round < 4; round += 1) {
      const replies = await Promise.all([
        ...[rename('ann', 1), rename('bea', 1), rename('fay', 1), rename('eve', 1)],
        ...[rename('ann', 2), rename('bea', 2), rename('fay', 2), rename('eve', 2)],
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403, 200, 403, 403]);
    }
    expect(
      await world.app.database.query('SELECT title FROM articles ORDER BY id LIMIT 3'),
    ).toEqual([{ title: 'by ann' }, { title: 'by bea' }, { title: 'Fays' }]);
  });
});
