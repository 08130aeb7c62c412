import {
  recordStatements,
  longestBlock,
  type Reply,
  signIn,
  TEST_ADMIN,
  itOnPostgres,
} from '../../support';
import { json } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;
let authorization: string;

const ROWS = 9_995;
/**
 * CPU time in ms that the process may be blocked: several times the current value, and less than half the former one.
 */
const SILENCE = 150;
/** The embedded database runs each statement in this process, which it blocks meanwhile. */
beforeAll(async () => {
  sample = await openSampleWorld();
  authorization = `Bearer ${(await signIn(sample.app, TEST_ADMIN)).access_token}`;
  await sample.app.database.query(
    `INSERT INTO articles (title, body, category, qty) SELECT 'Many', 'Text', 1, at FROM generate_series(1, ${ROWS}) AS at`,
  );
});

afterAll(() => sample.app.close());

/** A query for every field under this many names each. */
function aliased(fields: readonly string[], names: number): object {
  const alias = Object.fromEntries(
    fields.flatMap((field) =>
      Array.from({ length: names }, (_, index) => [`${field}_${index}`, field]),
    ),
  );
  return { fields: Object.keys(alias), alias, limit: -1, sort: 'id' };
}

/** The answer as bytes: it is not parsed here, since that would be measured too. */
async function bytesOf(method: string, path: string, body: object): Promise<Buffer> {
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = { method, headers, body: JSON.stringify(body) };
  const response = await fetch(sample.app.url + path, sent);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const search = (query: object): Promise<Buffer> => bytesOf('SEARCH', '/items/articles', { query });

describe('60: a large answer', () => {
  it('is complete, however it is written', async () => {
    const { data } = JSON.parse((await search(aliased(['id', 'title'], 20))).toString()) as {
      data: Record<string, unknown>[];
    };
    expect(data).toHaveLength(10_000);
    expect(data.map((row) => row['id_19'])).toEqual(data.map((_, index) => index + 1));
    expect(new Set(data.map((row) => Object.keys(row).length))).toEqual(new Set([40]));
  });

  it('comes with its counts, as does a single item with many related ones', async () => {
    const counted = await search({ limit: -1, fields: ['id', 'title', 'body'], meta: '*' });
    const meta = '"meta":{"total_count":10000,"filter_count":10000}}';
    expect(counted.subarray(-meta.length).toString()).toBe(meta);
    const deep = json({ articles: { _limit: -1 } });
    const { data } = await sample
      .as('admin')
      .get(`/items/categories/1?fields=name,articles.*&deep=${deep}`);
    expect(data['name']).toBe('World');
    expect(data['articles']).toHaveLength(ROWS + 2);
  });

  itOnPostgres('of 400,000 values does not delay other requests', async () => {
    await search({ limit: 1 });
    const ask = (): Promise<Buffer> => search(aliased(['id', 'title'], 20));
    expect(await longestBlock(ask, SILENCE)).toBeLessThanOrEqual(SILENCE);
  });

  itOnPostgres('of 260,000 aggregates does not delay other requests', async () => {
    const fields = ['title', 'body', 'qty', 'price', 'published_at', 'year(published_at)'];
    const functions = ['min', 'max', 'count', 'countDistinct'];
    const aggregate = Object.fromEntries(functions.map((fn) => [fn, fields]));
    const ask = (): Promise<Buffer> =>
      search({ groupBy: ['id'], aggregate: { ...aggregate, sum: ['qty'] }, limit: -1 });
    expect((JSON.parse((await ask()).toString()) as { data: unknown[] }).data).toHaveLength(10_000);
    expect(await longestBlock(ask, SILENCE)).toBeLessThanOrEqual(SILENCE);
  });

  itOnPostgres(
    'does not delay other requests as the answer to a write, nor does the write',
    async () => {
      const items = Array.from({ length: 2_400 }, () => ({
        title: 'Nest',
        notes: [{ text: 'x' }],
      }));
      const make = (): Promise<Buffer> => bytesOf('POST', '/items/articles', items);
      const silence = await longestBlock(make, SILENCE);
      await sample.app.database.query(`DELETE FROM articles WHERE title = 'Nest'`);
      expect(silence).toBeLessThanOrEqual(SILENCE);
    },
  );
});

describe('60: an answer that is too large', () => {
  const refused = async (query: object, what: string): Promise<void> => {
    const reply = await sample.as('admin').send('SEARCH', '/items/articles', { query });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(reply.text).toContain(`more than ${what}`);
  };

  it('is refused by its number of values, and no more is read than fits', async () => {
    const fields = ['id', 'title', 'status', 'body', 'qty', 'price', 'category', 'owner'];
    const query = aliased([...fields, 'featured', 'secret', 'published_at', 'metadata'], 20);
    const recorded = recordStatements(sample.app.database);
    await refused(query, '500000 values');
    recorded.stop();
    const limits = recorded.statements.flatMap(({ values }) => values);
    expect(limits).toEqual([Math.floor(500_000 / 240) + 1]);
  });

  it('is refused by the values of related items, even if these are a few that repeat', async () => {
    const { fields, alias } = aliased(['id', 'title'], 20) as { fields: string[]; alias: object };
    const query = {
      filter: { title: { _neq: 'Many' } },
      fields: fields.map((name) => `category.articles.${name}`),
      deep: { category: { articles: { _limit: 9_000, _alias: alias } } },
    };
    // Two of the first items lead to the same list of 9,000.
    await refused(query, '500000 values');
  });

  describe('by its texts', () => {
    beforeAll(() =>
      sample.app.database.query(
        `UPDATE articles SET body = repeat('x', 4000) WHERE title = 'Many'`,
      ),
    );

    it('is refused, and the next one is answered', async () => {
      const characters = `${32 * 1024 * 1024} characters`;
      await refused({ limit: -1 }, characters);
      await refused({ limit: -1, fields: ['body'] }, characters);
      expect((await search({ limit: 5_000, fields: ['body'] })).length).toBeGreaterThan(19e6);
    });

    const AGGREGATES = [
      { groupBy: ['id', 'body'] },
      { groupBy: ['id'], aggregate: { max: ['body'] } },
      { groupBy: ['id'], aggregate: { min: ['body'], count: '*' } },
    ];

    it.each(AGGREGATES)('is refused if it is an aggregate: %j', async (query) => {
      await refused({ ...query, limit: -1 }, `${32 * 1024 * 1024} characters`);
      expect((await search({ ...query, limit: 5_000 })).length).toBeGreaterThan(19e6);
    });

    it('is refused over GraphQL before all aggregates of a document are read', async () => {
      const group = (name: string): string =>
        `${name}: articles_aggregated(groupBy: ["id"], limit: 5000) { max { body } }`;
      const { codes, text } = await sample.graphql('admin', `{ ${group('a')} ${group('b')} }`);
      expect(new Set(codes)).toEqual(new Set(['INVALID_QUERY']));
      expect(text).toContain('more than 33554432 characters: ask for fewer"');
    });

    it.each(['users_me { description }', 'roles_me { users { description } }'])(
      'is refused over GraphQL before it is read under many names: %s',
      async (field) => {
        await sample.app.database.query(
          `UPDATE service_users SET description = repeat('x', 9000000) WHERE email = $1`,
          [TEST_ADMIN.email],
        );
        const names = (count: number): string =>
          Array.from({ length: count }, (_, index) => `n${index}: ${field}`).join(' ');
        const ask = (count: number): Promise<Reply> =>
          sample.as('admin').post('/graphql/system', { query: `{ ${names(count)} }` });
        const { codes, text } = await ask(5);
        expect(new Set(codes)).toEqual(new Set(['INVALID_QUERY']));
        expect(text).toContain('more than 33554432 characters: ask for fewer"');
        expect((await ask(2)).codes).toEqual([]);
      },
    );

    it('is refused over GraphQL, where all its lists count together', async () => {
      const list = (name: string, offset: number): string =>
        `${name}: articles(limit: 5000, offset: ${offset}, sort: ["id"]) { body }`;
      const two = await sample.graphql('admin', `{ ${list('a', 5)} ${list('b', 5_000)} }`);
      // Both are read at the same time: the later one is refused, and the other too if it has more to read by then.
      expect(new Set(two.codes)).toEqual(new Set(['INVALID_QUERY']));
      expect((await sample.graphql('admin', `{ ${list('a', 5)} }`)).codes).toEqual([]);
    });

    it('is refused if one text is repeated', async () => {
      await sample.app.database.query(
        `UPDATE service_users SET description = repeat('x', 100000) WHERE id = $1`,
        [sample.id('amy')],
      );
      await sample.app.database.query(`UPDATE articles SET owner = $1 WHERE title = 'Many'`, [
        sample.id('amy'),
      ]);
      const query = { filter: { title: { _eq: 'Many' } }, fields: ['owner.description'] };
      await refused({ ...query, limit: 1_000 }, `${32 * 1024 * 1024} characters`);
      expect((await search({ ...query, limit: 100 })).length).toBeGreaterThan(10e6);
    });
  });
});
