import { read, seed, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { recordStatements, startTestApp } from '../../support';

const ARTICLES = 100_000;
const ME = { _eq: '$CURRENT_USER' } as const;
const OWNER = { owner: ME };
const MEMBER = { notes: { _some: { author: ME } } };
const FIELDS = ['title', 'category', 'owner', 'notes'];

const SEED = {
  policies: {
    members: [read('articles', FIELDS, { _or: [OWNER, MEMBER] })],
    apart: [read('articles', FIELDS, OWNER), read('articles', FIELDS, MEMBER)],
    readers: [read('articles', FIELDS, { _or: [{ status: { _eq: 'published' } }, MEMBER] })],
    unbound: [read('articles', FIELDS, { _or: [{ title: { _eq: 'Article 77' } }, MEMBER] })],
    others: [
      read('categories', ['name', 'articles']),
      read('notes', ['article', 'author']),
      read('service_users', ['first_name']),
    ],
  },
  users: {
    mia: { policies: ['members', 'others'] },
    abe: { policies: ['apart', 'others'] },
    rob: { policies: ['readers', 'others'] },
    una: { policies: ['unbound', 'others'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const { database } = world.app;
  await database.query(
    `INSERT INTO categories (name) SELECT 'Category ' || n FROM generate_series(1, 10) n`,
  );
  await database.query(
    `INSERT INTO articles (title, status, category) SELECT 'Article ' || n,
       CASE WHEN n % 10 = 0 THEN 'draft' ELSE 'published' END, 1 + n % 10
     FROM generate_series(1, $1::int4) n`,
    [ARTICLES],
  );
  await database.query(
    `INSERT INTO notes (article, text) SELECT n, 'Note' FROM generate_series(1, $1::int4) n`,
    [ARTICLES],
  );
  for (const caller of Object.keys(SEED.users)) {
    const id = world.id(caller);
    if (caller !== 'rob') await own(id);
    await database.query(
      `INSERT INTO notes (article, author, text) SELECT 50000 + n * 10, $1::uuid, 'Mine' FROM generate_series(1, 20) n`,
      [id],
    );
  }
  await database.query('ANALYZE articles, notes, categories');
}, 120_000);

afterAll(() => world.app.close());

const own = (id: string | number): Promise<unknown> =>
  world.app.database.query(
    `INSERT INTO articles (title, owner, status, category) SELECT 'Own ' || n, $1::uuid, 'draft', 1 FROM generate_series(1, 5) n`,
    [id],
  );

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** The number of table rows that the plan reads. */
function rowsRead(plan: Plan): number {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  const own = plan['Relation Name'] === undefined ? 0 : each * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own);
}

/** The answer, and how many rows the database reads for all its statements. */
async function measure(caller: string, query: object) {
  const send = () => world.as(caller).send('SEARCH', '/items/articles', { query });
  // The first request also reads the rules of the caller.
  await send();
  const recorded = recordStatements(world.app.database);
  const reply = await send().finally(() => recorded.stop());
  let rows = 0;
  for (const { text, values } of recorded.statements) {
    const [row] = await world.app.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    if (row) rows += rowsRead(row['QUERY PLAN'][0].Plan);
  }
  return { reply, rows };
}

describe(`A reader of what they own and what they commented on, among ${ARTICLES} articles,`, () => {
  it.each(['mia', 'abe'])('finds them by an index (%s)', async (caller) => {
    const { reply, rows } = await measure(caller, { fields: ['id'], meta: '*', limit: 10 });
    expect(reply.data).toHaveLength(10);
    expect(reply.body).toMatchObject({ meta: { total_count: 25, filter_count: 25 } });
    expect(rows).toBeLessThan(1_000);
  });

  it.each<[string, object, unknown]>([
    [
      'sorted',
      { sort: ['-id'], limit: 2, offset: 4, fields: ['title'] },
      ['Own 1', 'Article 50200'],
    ],
    [
      'filtered',
      { filter: { title: { _ends_with: '5' } }, fields: ['title'], sort: ['title'] },
      ['Own 5'],
    ],
    ['through a relation', { filter: { category: { name: { _eq: 'Category 2' } } } }, []],
  ])('finds them by an index (%s)', async (_, query, expected) => {
    const { reply, rows } = await measure('mia', query);
    const data = reply.data as unknown as { title: string }[];
    expect(data.map(({ title }) => title)).toEqual(expected);
    expect(rows).toBeLessThan(1_000);
  });

  it('counts them by an index', async () => {
    const aggregate = { count: '*' };
    const { reply, rows } = await measure('mia', { aggregate, groupBy: ['category'] });
    expect(reply.data).toEqual([{ category: 1, count: 25 }]);
    expect(rows).toBeLessThan(1_000);
  });
});

describe('A reader of nine of ten articles', () => {
  it('gets a full page of the first ones', async () => {
    const { reply, rows } = await measure('rob', { fields: ['title'], limit: 25 });
    expect(reply.data).toHaveLength(25);
    expect(reply.data).toMatchObject({ 0: { title: 'Article 1' }, 24: { title: 'Article 27' } });
    expect(rows).toBeLessThan(5_000);
  });

  it('gets the count of all of them', async () => {
    const { reply } = await measure('rob', { fields: ['id'], limit: 1, meta: '*' });
    const all = 0.9 * ARTICLES + 20;
    expect(reply.body).toMatchObject({ meta: { total_count: all, filter_count: all } });
  });
});

describe('A query that such an index does not serve', () => {
  const textOf = async (caller: string, path: string): Promise<string> => {
    await world.as(caller).get(path);
    const recorded = recordStatements(world.app.database);
    await world.as(caller).get(path);
    recorded.stop();
    return recorded.statements.map(({ text }) => text).join('\n');
  };

  it.each([
    ['a rule that no index serves', 'una', '/items/articles?limit=25'],
    ['one article', 'mia', '/items/articles/1'],
    ['lists of parents', 'mia', '/items/categories?fields=articles.id'],
    ['articles of a category', 'mia', '/items/articles?filter={"category":{"_eq":1}}'],
  ])('(%s) is queried in the usual way', async (_, caller, path) => {
    expect(await textOf(caller, path)).not.toContain('few');
  });

  it('(but not a page of the collection)', async () => {
    expect(await textOf('mia', '/items/articles?limit=25')).toContain('few');
  });
});
