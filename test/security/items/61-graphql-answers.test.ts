import type { Reply } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

const ROWS = 2_500;

beforeAll(async () => {
  sample = await openSampleWorld();
  await sample.app.database.query(
    `INSERT INTO articles (title, category, published_at)
     SELECT 'Many', 1, '2024-02-29T12:00:00Z' FROM generate_series(1, ${ROWS})`,
  );
});

afterAll(() => sample.app.close());

const ask = (query: string, variables = {}): Promise<Reply> =>
  sample.as('admin').post('/graphql', { query, variables });
const names = (count: number, field: string): string =>
  Array.from({ length: count }, (_, at) => `${field.slice(0, 2)}${at}: ${field}`).join(' ');
const many = (fields: string, more = ''): string =>
  `{ articles(limit: ${ROWS}, filter: {title: {_eq: "Many"}}) ${more} { ${fields} } }`;
/** With a directive, graphql-js executes the query. */
const USUAL = ['', '@include(if: true)'];

describe('61: one field under many names', () => {
  const other = (field: string): string => names(11, field).replaceAll(/\b[a-z]+(?=\d)/g, 'other');

  it.each([
    [names(21, 'title')],
    [names(21, '__typename')],
    [`published_at_func { ${names(21, 'year')} }`],
    [`category { ${names(21, 'name')} }`],
    [`category { ${names(11, 'name')} } category { ${other('name')} }`],
    [`${names(10, 'title')} ... { ...F }`, `fragment F on articles { ${other('title')} }`],
  ])('is refused before anything is read: %s', async (fields, fragment = '') => {
    const { status, codes, text } = await ask(`{ articles { ${fields} } } ${fragment}`);
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(text).toContain('under more than 20 names in one place');
  });

  it.each(USUAL)('is answered up to the same bound as over REST %s', async (directive) => {
    const { codes, data } = await ask(
      `{ articles(limit: 1) ${directive} { ${names(20, 'title')} ${names(20, '__typename')} } }`,
    );
    const [first] = data['articles'] as object[];
    expect([codes, Object.keys(first ?? {}).length]).toEqual([[], 40]);
  });
});

describe('61: the answers to mutations', () => {
  const list = `notes(limit: -1) { ${names(11, 'id')} }`;
  const title = async (): Promise<unknown> =>
    (await sample.app.database.query('SELECT title FROM articles WHERE id = 5'))[0]?.['title'];

  beforeAll(() =>
    sample.app.database.query(
      `INSERT INTO notes (text, article) SELECT 'n', 5 FROM generate_series(1, 1300)`,
    ),
  );

  it('are counted together, and nothing is written whose answer is too large', async () => {
    const update = (name: string): string =>
      `${name}: update_articles_item(id: 5, data: {title: "${name}"}) { title ${list} }`;
    const { codes, data } = await ask(`mutation { ${['a', 'b', 'c'].map(update).join(' ')} }`);
    expect(codes).toEqual(['INVALID_QUERY', 'INVALID_QUERY']);
    expect(data).toMatchObject({ a: { title: 'a' }, b: null, c: null });
    expect(await title()).toBe('a');
  });

  it('are counted if they are the keys of deleted rows', async () => {
    const keys = await sample.app.database.query(
      `SELECT id FROM articles WHERE title = 'Many' ORDER BY id LIMIT 1600`,
    );
    const { codes, data } = await ask(
      `mutation ($ids: [ID]!) { delete_articles_items(ids: $ids) { ${names(20, 'ids')} } }`,
      { ids: keys.map(({ id }) => String(id)) },
    );
    expect([codes, data]).toEqual([['INVALID_QUERY'], { delete_articles_items: null }]);
    const left = `SELECT count(*)::int AS count FROM articles WHERE title = 'Many'`;
    expect(await sample.app.database.query(left)).toEqual([{ count: ROWS }]);
  });
});

describe.each(USUAL)('61: an answer to %s', (directive) => {
  it.each([
    names(12, 'title'),
    names(12, '__typename'),
    `published_at_func { ${names(11, 'year')} }`,
    `category { ${names(11, 'name')} }`,
  ])('is counted by its response names: %s', async (fields) => {
    const { codes, text } = await ask(many(fields, directive));
    expect(codes).toEqual(['INVALID_QUERY']);
    expect(text).toContain('more than 30000 values');
  });

  it('may be as large as the bound', async () => {
    expect((await ask(many(names(10, 'title'), directive))).codes).toEqual([]);
  });

  it('is refused by the characters of its texts under all their names', async () => {
    await sample.app.database.query(
      `UPDATE articles SET body = repeat('x', 20000), metadata = jsonb_build_object('a', repeat('x', 20000))
       WHERE id IN (SELECT id FROM articles WHERE title = 'Many' ORDER BY id LIMIT 100)`,
    );
    for (const field of ['body', 'metadata']) {
      const [tenth, all] = [names(2, field), names(20, field)].map((fields) =>
        many(fields, directive).replace(`limit: ${ROWS}`, 'limit: 100, sort: ["id"]'),
      );
      expect((await ask(tenth ?? '')).codes).toEqual([]);
      const { codes, text } = await ask(all ?? '');
      expect(codes).toEqual(['INVALID_QUERY']);
      expect(text).toContain('more than 33554432 characters');
    }
  });
});
