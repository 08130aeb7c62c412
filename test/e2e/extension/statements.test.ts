import { read, seed, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { recordStatements, startTestApp } from '../../support';

const ARTICLES = 100_000;

const SEED = {
  policies: {
    readers: [
      read('articles', ['id', 'title', 'category', 'owner', 'tags'], {
        _or: [{ owner: { _eq: '$CURRENT_USER' } }, { status: { _eq: 'archived' } }],
      }),
      read('categories', ['id', 'name'], { name: { _neq: 'Hidden' } }),
      read('tags', ['id', 'name']),
      read('service_users', ['id', 'first_name']),
    ],
    owners: [read('articles', ['id', 'title'], { owner: { _eq: '$CURRENT_USER' } })],
    filtered: [
      read('articles', ['id', 'category']),
      read('categories', ['id', 'name', 'parent'], { name: { _neq: 'Category 3' } }),
    ],
    partly: [
      read('articles', ['id']),
      read('articles', ['category'], { status: { _eq: 'published' } }),
      read('categories', ['name']),
      read('categories', ['id'], { name: { _in: ['Category 1', 'Category 2'] } }),
    ],
    authors: [
      read('articles', ['id', 'category']),
      read('categories', ['id', 'name'], { articles: { owner: { _eq: '$CURRENT_USER' } } }),
    ],
  },
  users: {
    ann: { policies: ['readers'] },
    bob: { policies: ['owners'] },
    fay: { policies: ['filtered'] },
    pat: { policies: ['partly'] },
    dan: { policies: ['authors'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const { database } = world.app;
  await database.query(
    `INSERT INTO categories (name) SELECT 'Category ' || n FROM generate_series(1, 10) n`,
  );
  await database.query(`INSERT INTO tags (name) SELECT 'Tag ' || n FROM generate_series(1, 10) n`);
  await database.query(
    `INSERT INTO articles (title, status, category, owner)
     SELECT 'Article ' || n, CASE WHEN n % 3 = 0 THEN 'draft' ELSE 'published' END, 1 + n % 10,
       CASE WHEN n % 500 = 0 THEN $1::uuid WHEN n % 500 = 1 THEN $2::uuid END
     FROM generate_series(1, $3::int4) n`,
    [world.id('ann'), world.id('bob'), ARTICLES],
  );
  await database.query(
    `INSERT INTO articles_tags SELECT a.id, t.id FROM articles a JOIN tags t ON t.name <> 'Tag ' || (a.id % 10)
     WHERE a.owner IS NOT NULL`,
  );
  await database.query('ANALYZE articles, articles_tags, categories, tags');
}, 120_000);

afterAll(() => world.app.close());

/** The statements that the service sends while it works. */
async function statements(work: () => Promise<unknown>) {
  const recorded = recordStatements(world.app.database);
  try {
    await work();
    expect(recorded.transactions()).toBe(0);
    return recorded.statements;
  } finally {
    recorded.stop();
  }
}

const get = (name: string, path: string) => async (): Promise<void> => {
  const reply = await world.as(name).get(path);
  expect(reply.status).toBe(200);
};

describe('A list of a hundred articles', () => {
  const fields = 'id,title,category.name,owner.first_name,tags.name';

  it.each(['ann', 'admin'])(
    'takes one statement for each list, and one for the articles and the rows that they refer to (%s)',
    async (name) => {
      const list = get(name, `/items/articles?limit=100&fields=${fields}`);
      // The first request also reads the rules of the caller.
      await list();
      expect(await statements(list)).toHaveLength(2);
    },
  );

  it('takes the same through GraphQL', async () => {
    const query =
      '{ articles(limit: 100) { id title category { name } owner { first_name } tags { name } } }';
    const list = async (): Promise<void> => {
      const reply = await world.as('ann').post('/graphql', { query });
      expect(reply.data['articles']).toHaveLength(100);
    };
    await list();
    expect(await statements(list)).toHaveLength(2);
  });

  it('takes one without relations, counts included', async () => {
    const list = get('ann', '/items/articles?limit=100&meta=*');
    await list();
    expect(await statements(list)).toHaveLength(1);
  });
});

describe(`A page of 25 of ${ARTICLES} articles under a row filter`, () => {
  const plan = async (path: string): Promise<string> => {
    const page = get('bob', path);
    await page();
    const [statement] = await statements(page);
    if (!statement) throw new Error('Nothing was asked');
    const rows = await world.app.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ${statement.text}`,
      statement.values,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  it.each([
    ['by default', '/items/articles?limit=25'],
    ['sorted', '/items/articles?limit=25&sort=-id'],
    ['filtered', '/items/articles?limit=25&filter={"title":{"_contains":"5"}}'],
  ])('uses an index (%s)', async (_, path) => {
    const found = await plan(path);
    expect(found).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
    expect(found).not.toContain('Seq Scan');
  });

  it('uses an index for one article', async () => {
    const [row] = await world.app.database.query<{ id: number }>(
      'SELECT id FROM articles WHERE owner = $1::uuid LIMIT 1',
      [world.id('bob')],
    );
    expect(await plan(`/items/articles/${row?.id}`)).toMatch(/Index Scan using pk_articles/);
  });
});

interface Plan {
  readonly 'Actual Loops': number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** How often the plan searches the table. */
function searches(plan: Plan, table: string): number {
  const own = plan['Relation Name'] === table ? plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + searches(inner, table), own);
}

describe(`A list of ${ARTICLES} articles, sorted by fields of rows that they refer to,`, () => {
  /** How often all statements of a request search the table. */
  async function searchesOf(table: string, work: () => Promise<unknown>): Promise<number> {
    await work();
    let count = 0;
    for (const { text, values } of await statements(work)) {
      const [row] = await world.app.database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      if (row) count += searches(row['QUERY PLAN'][0].Plan, table);
    }
    return count;
  }

  /** Several processes of PostgreSQL may share the work, each with its own search; none searches once for each article. */
  const FEW = 10;

  it.each([
    ['of a category', 'admin', 'sort=category.name'],
    ['that the reader sees some of', 'fay', 'sort=-category.name'],
    ['through a key that is seen in some rows', 'pat', 'sort=category.name'],
    ['with a field that is seen in some rows', 'pat', 'sort=category.id'],
    ['of a category and of its parent', 'fay', 'sort=category.parent.name,-category.name'],
    ['that a rule about other rows shows', 'dan', 'sort=category.name'],
    ['with the size of a list', 'admin', 'sort=category.count(articles)'],
    ['of a category and an owner', 'admin', 'sort=owner.last_name,category.name'],
  ])('searches these a few times, not for each article (%s)', async (_, reader, sort) => {
    const list = get(reader, `/items/articles?limit=25&fields=id&${sort}`);
    expect(await searchesOf('categories', list)).toBeLessThan(FEW);
  });

  it('does so through GraphQL', async () => {
    const query = '{ articles(limit: 25, sort: ["category.name", "-category.id"]) { id } }';
    const list = async (): Promise<void> => {
      const reply = await world.as('fay').post('/graphql', { query });
      expect(reply.data['articles']).toHaveLength(25);
    };
    expect(await searchesOf('categories', list)).toBeLessThan(FEW);
  });

  it('searches each table once for all terms of one path', async () => {
    const sort = 'category.name,category.id,category.parent.name,-category.parent.id';
    const list = get('admin', `/items/articles?limit=25&fields=id&sort=${sort}`);
    await list();
    const [statement] = await statements(list);
    expect(statement?.text.match(/"categories"/g)).toHaveLength(2);
  });
});
