import { type SeedData, create, read, remove, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { recordStatements, startTestApp } from '../../support';

const RULES = 20;
const LEAVES = 400;
const FIELDS = ['title', 'body', 'status', 'qty', 'price', 'rating', 'featured', 'published_at'];

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

/** The condition of a rule: each has many titles of its own. */
const titles = (rule: number): object => ({
  _or: [
    { owner: { _eq: '$CURRENT_USER' } },
    ...many(LEAVES - 1, (index) => ({ title: { _eq: `${rule} ${index}` } })),
  ],
});

/** More rules than a statement may have columns: one for each tenant. */
const TENANTS = 1_700;
const tenants = many(TENANTS, (tenant) => ({ title: { _eq: `tenant ${tenant}` } }));

/** A list of values that is as long as a rule may have one. */
const LISTED = many(10_000, (index) => `listed ${index}`);

const fieldsOf = (rule: number): string[] => [
  FIELDS[rule % FIELDS.length] ?? '',
  FIELDS[(rule + 3) % FIELDS.length] ?? '',
];

const SEED: SeedData = {
  policies: {
    reading: [
      ...many(RULES, (rule) => read('articles', fieldsOf(rule), titles(rule))),
      read('service_users', ['first_name']),
    ],
    changing: many(RULES, (rule) => update('articles', fieldsOf(rule), titles(rule))),
    creating: many(RULES, (rule) => create('articles', [...fieldsOf(rule), 'owner'], titles(rule))),
    serving: [
      read('articles', ['title', 'qty']),
      ...tenants.map((title) => update('articles', ['qty'], title)),
    ],
    removing: tenants.map((title) => remove('articles', title)),
    seeing: tenants.map((title, at) => read('articles', fieldsOf(at), title)),
    listed: [read('articles', ['owner']), read('articles', FIELDS, { title: { _in: LISTED } })],
  },
  users: {
    ann: { policies: ['reading', 'changing', 'creating'] },
    bob: { policies: ['serving', 'removing'] },
    cas: { policies: ['seeing'] },
    dan: { policies: ['listed'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const articles = many(3, (index) => ({ title: `Mine ${index}`, qty: index, owner: '<ann>' }));
  await world.as('admin').post('/items/articles', world.fill([...articles, { title: '7 7' }]));
});

afterAll(() => world.app.close());

const asked = (query: object) => world.as('ann').send('SEARCH', '/items/articles', { query });

describe(`60: ${RULES} rules of ${LEAVES} alternatives each`, () => {
  it.each<[string, object]>([
    ['a list', {}],
    ['a list with counts', { meta: '*', filter: { qty: { _gte: 0 } } }],
    ['sorted', { sort: ['qty', '-price', 'title'] }],
    [
      'a filter of a hundred leaves',
      { filter: { _or: many(100, (index) => ({ qty: { _eq: index } })) } },
    ],
    [
      'groups',
      { aggregate: { count: FIELDS, max: ['qty', 'price'] }, groupBy: ['status', 'featured'] },
    ],
  ])('(%s) are answered', async (_, query) => {
    const recorded = recordStatements(world.app.database);
    const reply = await asked(query).finally(() => recorded.stop());
    expect([reply.status, reply.codes]).toEqual([200, []]);
    for (const { text, values } of recorded.statements) {
      expect(values.length).toBeLessThan(RULES * LEAVES + 200);
      // The rules appear where rows are found and where cells are masked, and again in both for counts.
      expect(text.length).toBeLessThan(5 * RULES * LEAVES * 30);
    }
  });

  it('grant what their conditions say', async () => {
    const fields = ['title', 'qty'];
    const { data } = await asked({ fields, filter: { qty: { _gte: 1 } } });
    expect(data).toEqual([1, 2].map((qty) => ({ title: `Mine ${qty}`, qty })));
    const { data: other } = await asked({ fields: FIELDS, filter: { title: { _eq: '7 7' } } });
    expect(other).toEqual([]);
  });

  it('allow a write', async () => {
    const reply = await world.as('ann').patch('/items/articles/1', { qty: 9, title: 'Still mine' });
    expect(reply.data).toMatchObject({ qty: 9 });
  });
});

it('60: as many items as rules can judge in a while are created, and no more', async () => {
  const post = (count: number) =>
    world.as('ann').post(
      '/items/articles?fields=id',
      many(count, () => ({ title: '0 398' })),
    );
  expect((await post(100)).status).toBe(200);
  const refused = await post(1_400);
  expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  expect(refused.text).toContain('write fewer at once');
  const [stored] = await world.app.database.query(
    `SELECT count(*)::int4 AS count FROM articles WHERE title = '0 398'`,
  );
  expect(stored).toEqual({ count: 100 });
});

it(`60: ${TENANTS} rules allow the writes of their rows, and no others`, async () => {
  const rows = ['tenant 0', `tenant ${TENANTS - 1}`, 'tenant x'].map((title) => ({ title }));
  const { data } = await world.as('admin').post('/items/articles', rows);
  const ids = (data as unknown as { id: number }[]).map(({ id }) => id);
  const bob = world.as('bob');
  const statuses = async (method: 'PATCH' | 'DELETE', body?: object): Promise<number[]> => {
    const replies = ids.map((id) => bob.send(method, `/items/articles/${id}`, body));
    return (await Promise.all(replies)).map(({ status }) => status);
  };
  expect(await statuses('PATCH', { qty: 5 })).toEqual([200, 200, 403]);
  expect(await statuses('DELETE')).toEqual([204, 204, 403]);
});

it(`60: ${TENANTS} rules that grant different fields are read, and show what each grants`, async () => {
  const at = TENANTS - 1;
  const rows = [at, 'x'].map((tenant) => ({ title: `tenant ${tenant}`, qty: 7, featured: true }));
  await world.as('admin').post('/items/articles', rows);
  const { status, data } = await world
    .as('cas')
    .get(`/items/articles?fields=${FIELDS.join()}&filter[qty][_eq]=7`);
  const stored: Readonly<Record<string, unknown>> = { ...rows[0] };
  const shown = FIELDS.map((name) => [name, fieldsOf(at).includes(name) ? stored[name] : null]);
  expect([status, data]).toEqual([200, [Object.fromEntries(shown)]]);
});

it('60: a long list in a rule is compared once for each row, however many cells it masks', async () => {
  const alias = Object.fromEntries(
    FIELDS.flatMap((name) => many(20, (index) => [`${name}_${index}`, name])),
  );
  const query = { fields: Object.keys(alias), alias, filter: { qty: { _gte: 0 } } };
  const recorded = recordStatements(world.app.database);
  const reply = await world
    .as('dan')
    .send('SEARCH', '/items/articles', { query })
    .finally(() => recorded.stop());
  expect([reply.status, reply.codes]).toEqual([200, []]);
  const times = recorded.statements.map(({ text }) => text.split('= ANY(').length - 1);
  expect(Math.max(...times)).toBe(1);
});
