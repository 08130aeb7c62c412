import { json } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());

describe('60: a small table that would give an endless answer', () => {
  const ROWS = 400;
  const deep = { category: { articles: { _limit: -1, category: { articles: { _limit: -1 } } } } };
  const fields = 'category.articles.category.articles.id';

  beforeAll(() =>
    sample.app.database.query(
      `INSERT INTO articles (title, category) SELECT 'Many', 1 FROM generate_series(1, ${ROWS})`,
    ),
  );
  afterAll(() => sample.app.database.query(`DELETE FROM articles WHERE title = 'Many'`));
  // Only these rows; the sample's own are not in this group.
  const start = `${encodeURIComponent('filter[title][_eq]')}=Many`;

  it.each([
    `limit=-1&fields=${fields}&deep=${json(deep)}`,
    `limit=1&fields=${fields}&deep=${json(deep)}`,
    `limit=300&fields=category.articles.id&deep=${json({ category: { articles: { _limit: -1 } } })}`,
    'limit=300&fields=category.articles.category.articles.category.name',
  ])('is refused: %s', async (query) => {
    const reply = await sample.as('admin').get(`/items/articles?${start}&${query}`);
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(reply.text).toContain('more than 20000 related items');
  });

  it('is refused as the answer to a write, which is not carried out', async () => {
    const reply = await sample
      .as('admin')
      .patch(`/items/articles/3?fields=${fields}&deep=${json(deep)}`, { title: 'X' });
    expect(reply.codes).toEqual(['INVALID_QUERY']);
    const [row] = await sample.app.database.query('SELECT title FROM articles WHERE id = 3');
    expect(row).toEqual({ title: 'Drafted' });
  });

  it('is refused over GraphQL', async () => {
    const inner = 'category { articles(limit: 400) { id } }';
    const query = `{ articles(limit: 400) { category { articles(limit: 400) { ${inner} } } } }`;
    const reply = await sample.graphql('admin', query);
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
  });

  it('is answered if the query is bounded', async () => {
    const query = `${start}&limit=100&fields=category.articles.id`;
    const reply = await sample.as('admin').get(`/items/articles?${query}`);
    expect(reply.data).toHaveLength(100);
  });
});
