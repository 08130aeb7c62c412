import { setTimeout as wait } from 'node:timers/promises';
import { read, update } from '../../factories';
import { recordWrites, type Reply, itOnPostgres } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

/** Ray reads every article, and may change only his own. */
beforeAll(async () => {
  sample = await openSampleWorld({
    policies: {
      half: [
        read('articles', ['*']),
        update('articles', ['title'], { owner: { _eq: '$CURRENT_USER' } }),
      ],
    },
    users: { ray: { policies: ['half'] } },
  });
});

afterAll(() => sample.app.close());

/** Article 2 has the quantity 7: if that were taken for the key, article 7 would be written. */
const SECOND = { id: { _eq: 2 } };

const writes = (query: object): [string, () => Promise<Reply>][] => [
  ['DELETE', () => sample.as('admin').delete('/items/articles', { query })],
  ['PATCH', () => sample.as('admin').patch('/items/articles', { query, data: { title: 'Other' } })],
];

describe('24: a query that selects the rows of a write', () => {
  let before: unknown;
  beforeAll(async () => {
    await sample.app.database.query(
      `INSERT INTO articles (id, title) SELECT id, 'Bystander' FROM generate_series(6, 9) AS id`,
    );
    before = await sample.items();
  });
  afterAll(() => sample.app.database.query(`DELETE FROM articles WHERE title = 'Bystander'`));

  it.each<[string, object]>([
    ['alias', { filter: SECOND, alias: { id: 'qty' } }],
    ['alias', { filter: SECOND, alias: '{"id":"qty"}' }],
    ['alias', { filter: SECOND, alias: { id: 'title' } }],
    ['alias', { filter: SECOND, alias: {} }],
    ['deep', { filter: SECOND, deep: { tags: { _limit: 1 } } }],
    ['meta', { filter: SECOND, meta: '*' }],
    ['fields', { filter: SECOND, fields: ['qty'] }],
    ['fields', { filter: SECOND, fields: ['id'] }],
    ['aggregate', { filter: SECOND, aggregate: { max: 'qty' } }],
    ['groupBy', { filter: SECOND, groupBy: 'qty' }],
  ])('cannot have parameters for the answer: %s is refused', async (name, query) => {
    for (const [method, write] of writes(query)) {
      const reply = await write();
      expect([method, reply.status, reply.codes]).toEqual([method, 400, ['INVALID_QUERY']]);
      expect(reply.text).toContain(`"field":"${name}"`);
    }
    expect(await sample.items()).toEqual(before);
  });

  it('cannot be changed through the URL, which only shapes the answer', async () => {
    const query = { filter: SECOND };
    const reply = await sample
      .as('admin')
      .patch('/items/articles?fields=id,own&alias[id]=qty&alias[own]=id', {
        query,
        data: { title: 'Hills' },
      });
    expect(reply.data).toEqual([{ id: 7, own: 2 }]);
    expect(await sample.items()).toEqual(before);
  });
});

describe('60: a query that selects more than a list may hold', () => {
  const MANY = { filter: { title: { _starts_with: 'Many' } } };
  const data = { body: 'x' };
  const admin = () => sample.as('admin');
  const rows = (where: string): Promise<{ count: number }[]> =>
    sample.app.database.query(`SELECT count(*)::int4 FROM articles WHERE ${where}`);

  beforeAll(() =>
    sample.app.database.query(
      `INSERT INTO articles (title) SELECT 'Many ' || at FROM generate_series(1, 2501) AS at`,
    ),
  );
  afterAll(() => sample.app.database.query(`DELETE FROM articles WHERE title LIKE 'Many%'`));

  it.each<[string, () => Promise<Reply>]>([
    ['PATCH', () => admin().patch('/items/articles', { query: MANY, data })],
    ['PATCH', () => admin().patch('/items/articles', { query: { ...MANY, limit: -1 }, data })],
    ['PATCH', () => admin().patch('/items/articles', { query: { ...MANY, limit: 2_501 }, data })],
    ['DELETE', () => admin().delete('/items/articles', { query: MANY })],
    ['DELETE', () => admin().delete('/items/articles', { query: { ...MANY, limit: 9_999 } })],
  ])('is refused: %s', async (_, write) => {
    const reply = await write();
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(reply.text).toContain('at most 2500 items');
    expect(await rows(`body = 'x' OR title LIKE 'Many%'`)).toEqual([{ count: 2_501 }]);
  });

  it('is carried out up to that number, with one statement for equal rows', async () => {
    const recorded = recordWrites(sample.app.database);
    const query = { ...MANY, limit: 2_500, sort: '-id' };
    const reply = await admin().patch('/items/articles?fields=id', { query, data });
    recorded.stop();
    expect(reply.data).toHaveLength(2_500);
    expect(await rows(`body = 'x'`)).toEqual([{ count: 2_500 }]);
    expect(recorded.texts.filter((text) => text.startsWith('UPDATE'))).toHaveLength(1);
    expect((await admin().delete('/items/articles', { query })).status).toBe(204);
    expect(await rows(`title LIKE 'Many%'`)).toEqual([{ count: 1 }]);
  });
});

// With one connection there are no locks to wait for.
itOnPostgres('24: a query locks no row that its sender may not write', async () => {
  const asked = { query: { filter: SECOND }, data: { title: 'Other' } };
  const reply = await sample.app.database.transaction(async (tx) => {
    await tx.query('SELECT 1 FROM articles WHERE id = 2 FOR UPDATE');
    return Promise.race([
      sample.as('ray').patch('/items/articles', asked),
      wait(5_000, { codes: ['it waited for the lock'] }, { ref: false }),
    ]);
  });
  expect(reply.codes).toEqual(['FORBIDDEN']);
});
