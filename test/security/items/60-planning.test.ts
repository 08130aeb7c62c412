import { recordStatements, type Reply } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
  // The first request of a caller reads their rules.
  for (const caller of ['spy', 'admin']) await sample.as(caller).get('/items/articles?limit=1');
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

/** The lines of all plans of a request. */
async function plansOf(work: () => Promise<Reply>): Promise<string[]> {
  const recorded = recordStatements(sample.app.database);
  try {
    expect((await work()).status).toBe(200);
  } finally {
    recorded.stop();
  }
  const plans = recorded.statements.map(({ text, values }) =>
    sample.app.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values),
  );
  return (await Promise.all(plans)).flat().map((row) => row['QUERY PLAN']);
}

/**
 * The number of joins in all plans of a request: planning time grows with it, since the database tries their orders.
 */
async function joinsOf(work: () => Promise<Reply>): Promise<number> {
  const lines = await plansOf(work);
  return lines.filter((line) => /(Join|Nested Loop).*\(cost/.test(line)).length;
}

/** How many tables of keys the plans of a request hold in memory at a time, each up to several megabytes. */
async function hashedIn(work: () => Promise<Reply>): Promise<number> {
  const names = (await plansOf(work)).flatMap((line) => line.match(/hashed SubPlan \d+/g) ?? []);
  return new Set(names).size;
}

const UNNAMED = (index: number): object => ({ name: { _neq: `x${index}` } });
const UNTEXTED = (index: number): object => ({ text: { _neq: `x${index}` } });

describe('60: a small filter that the database would plan for very long', () => {
  it.each<[string, string, (index: number) => object]>([
    ['one parent, often', 'spy', (index) => ({ category: UNNAMED(index) })],
    ['one parent, behind an _and', 'spy', (index) => ({ _and: [{ category: UNNAMED(index) }] })],
    ['a parent and its parent', 'admin', (index) => ({ category: { parent: UNNAMED(index) } })],
    ['a list, often', 'spy', (index) => ({ notes: { _some: UNTEXTED(index) } })],
    [
      '_none of a list, often',
      'admin',
      (index) => ({ notes: { _none: { text: { _eq: `x${index}` } } } }),
    ],
    [
      'a list of the parent',
      'admin',
      (index) => ({ category: { articles: { id: { _neq: index } } } }),
    ],
    ['parents of a list', 'admin', (index) => ({ notes: { article: { id: { _neq: index } } } })],
  ])('(%s) is joined a few times at most', async (_, caller, member) => {
    // The smaller count first, so that a fault is noticed before it overloads the database.
    for (const count of [12, 80]) {
      const query = { fields: ['id'], filter: { _and: many(count, member) } };
      const joins = await joinsOf(() =>
        sample.as(caller).send('SEARCH', '/items/articles', { query }),
      );
      expect(joins).toBeLessThanOrEqual(4);
    }
  });

  it('(policies of rules) is joined a few times at most', async () => {
    for (const count of [8, 28, 300]) {
      const query = {
        fields: ['id'],
        filter: { _and: many(count, (index) => ({ policy: UNNAMED(index) })) },
      };
      const joins = await joinsOf(() =>
        sample.as('admin').send('SEARCH', '/permissions', { query }),
      );
      expect(joins).toBeLessThanOrEqual(4);
    }
  });

  it('(more than can be planned) is refused by its size', async () => {
    const asked = (count: number): Promise<Reply> => {
      const filter = { _or: many(count, (index) => ({ 'count(notes)': { _eq: index } })) };
      return sample.as('spy').send('SEARCH', '/items/articles', { query: { filter, meta: '*' } });
    };
    expect((await asked(400)).status).toBe(200);
    const refused = await asked(499);
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(refused.text).toContain('more than 1000 subqueries');
  });

  it('(of a page with related rows) reads these by a separate statement', async () => {
    const read = async (looks: number): Promise<readonly string[]> => {
      const filter = { _or: many(looks, (index) => ({ 'count(notes)': { _gte: index } })) };
      const query = { fields: ['id', 'category.name'], filter };
      const recorded = recordStatements(sample.app.database);
      const answer = await sample.as('admin').send('SEARCH', '/items/articles', { query });
      recorded.stop();
      expect(answer.status).toBe(200);
      return recorded.statements
        .map(({ text }) => text)
        .filter((text) => text.includes('categories'));
    };
    expect(await read(1)).toEqual([expect.stringContaining('articles')]);
    expect(await read(400)).toEqual([expect.not.stringContaining('articles')]);
  });

  it('(sorts, groups and counts with it) is joined a few times at most', async () => {
    const notes = many(80, (index) => ({ notes: { _some: UNTEXTED(index) } }));
    const filter = { _and: notes };
    for (const query of [
      { filter, meta: '*', sort: ['category.name', '-category.parent.name'] },
      { filter, aggregate: { count: ['*', 'category'] }, groupBy: ['status'] },
      { fields: ['id', 'notes.id'], deep: { notes: { _filter: { article: filter } } } },
    ]) {
      const joins = await joinsOf(() =>
        sample.as('spy').send('SEARCH', '/items/articles', { query }),
      );
      // The rows, the counted rows and the parents of a list each need a few joins.
      expect(joins).toBeLessThanOrEqual(12);
    }
  });
});

describe('60: a small filter for which the database would fill its memory', () => {
  it.each<[string, (index: number) => object]>([
    ['a list, often', (index) => ({ notes: { _some: UNTEXTED(index) } })],
    ['_none of a list, often', (index) => ({ notes: { _none: UNTEXTED(index) } })],
    ['one parent, often', (index) => ({ category: UNNAMED(index) })],
    [
      'several in each member',
      (index) => ({ _and: [{ _or: [{ category: UNNAMED(index) }, { id: index }] }] }),
    ],
  ])('(%s) holds the keys of a few tables at most', async (_, member) => {
    const hashed = (count: number): Promise<number> => {
      const query = { fields: ['id'], filter: { _or: many(count, member) } };
      return hashedIn(() => sample.as('admin').send('SEARCH', '/items/articles', { query }));
    };
    expect(await hashed(2)).toBeGreaterThan(0);
    expect(await hashed(80)).toBeLessThanOrEqual(8);
  });
});

describe('60: a sort by many rows that each row leads to', () => {
  const upwards = (levels: number, field: string): string =>
    ['category', ...many(levels, () => 'parent'), field].join('.');

  it.each([
    ['by many ancestors', many(8, (index) => upwards(index, 'name'))],
    ['by many values of each', many(8, (index) => [upwards(index, 'name'), upwards(index, 'id')])],
    ['beside a filter', ['category.name', 'owner.first_name', 'owner.role.name']],
  ])('(%s) is joined a few times at most', async (name, sort) => {
    const notes = many(name === 'beside a filter' ? 3 : 0, (index) => ({
      notes: { _some: UNTEXTED(index) },
    }));
    const query = { fields: ['id'], filter: { _and: notes }, sort: sort.flat() };
    const recorded = recordStatements(sample.app.database);
    const answer = await sample.as('admin').send('SEARCH', '/items/articles', { query });
    recorded.stop();
    expect(answer.status).toBe(200);
    const text = recorded.statements.map((statement) => statement.text).join();
    expect(text).toContain('LEFT JOIN LATERAL');
    expect(text.match(/LEFT JOIN \(/g)).toHaveLength(4 - notes.length);
  });
});
