import type { Reply } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));
const names = (count: number): string[] => many(count, (index) => `a${index}`);
const nested = (levels: number, name: string, inner: object): object =>
  many(levels, () => name).reduce<object>(
    (rest, each) => ({ [each]: each === '_and' ? [rest] : rest }),
    inner,
  );

const aliased = (count: number, field: string): object =>
  Object.fromEntries(names(count).map((name) => [name, field]));

/** So many lists, and so many relations below each. */
const opened = (lists: number, below: number): object => ({
  fields: names(lists).flatMap((name) => names(below).map((inner) => `${name}.${inner}.id`)),
  alias: aliased(lists, 'notes'),
  deep: Object.fromEntries(
    names(lists).map((name) => [name, { _alias: aliased(below, 'article') }]),
  ),
});

const search = (query: object, caller = 'spy'): Promise<Reply> =>
  sample.as(caller).send('SEARCH', '/items/articles', { query });

const TITLED = { title: { _eq: 'x' } };

describe('60: a query of items that asks for too much', () => {
  it.each<[string, object, string?]>([
    ['a filter 32 deep', { filter: nested(15, '_and', TITLED) }],
    ['a filter 1,000 deep', { filter: nested(1_000, '_and', TITLED) }, 'INVALID_PAYLOAD'],
    [
      'a filter through 31 relations',
      { filter: { category: nested(31, 'parent', { name: { _eq: 'x' } }) } },
    ],
    ['a filter of 1,001 members', { filter: { _or: many(1_001, () => TITLED) } }],
    [
      'a filter of 1,001 rows of a list',
      { filter: { _and: many(501, () => ({ tags: { name: { _eq: 'x' } } })) } },
    ],
    ['a list of 10,001', { filter: { id: { _in: many(10_001, (index) => index) } } }],
    [
      'two lists of 6,000',
      { filter: { id: { _in: many(6_000, (i) => i), _nin: many(6_000, (i) => i) } } },
    ],
    [
      'lists in several places',
      {
        fields: ['tags.id'],
        filter: { id: { _in: many(6_000, (i) => i) } },
        deep: { tags: { _filter: { name: { _in: names(6_000) } } } },
      },
    ],
    ['relations 6 deep', { fields: ['category.parent.parent.parent.parent.parent.name'] }],
    ['relations in a circle, 6 deep', { fields: ['notes.article.notes.article.notes.article.id'] }],
    ['stars 7 deep', { fields: ['*.*.*.*.*.*.*.*'] }],
    ['501 fields', { fields: names(501) }],
    ['one field under 21 names', { fields: names(21), alias: aliased(21, 'title') }],
    [
      'one relation under 21 names',
      {
        fields: names(21).map((name) => `${name}.id`),
        alias: aliased(21, 'notes'),
      },
    ],
    ['270 relations in all', opened(18, 14)],
    ['a sort of 21', { sort: many(21, () => 'title') }],
    [
      'a sort of 21 for groups',
      { aggregate: { count: '*' }, groupBy: 'title', sort: many(21, () => 'count') },
    ],
    [
      'sizes of 21 lists',
      { fields: [...names(20), 'count(tags)'], alias: aliased(20, 'count(notes)') },
    ],
    ['a sort 11 hops away', { sort: `category.${many(10, () => 'parent').join('.')}.name` }],
    ['a long search', { search: 'x'.repeat(400_000) }],
    [
      'a long nested search',
      { fields: ['notes.id'], deep: { notes: { _search: 'x'.repeat(1_001) } } },
    ],
    ['a limit beyond the greatest', { limit: 10_001 }],
    [
      'a limit of a relation beyond the greatest',
      { fields: ['notes.id'], deep: { notes: { _limit: 10_001 } } },
    ],
    ['a huge limit', { limit: 1e15 }],
    ['a huge offset', { offset: 1e300 }],
    ['a huge page', { page: 1e12 }],
    ['a pattern', { filter: { title: { _regex: '(a+)+$' } } }],
    ['a pattern for a relation', { filter: { notes: { text: { _regex: '(a+)+$' } } } }],
  ])('(%s) is refused', async (_, query, code = 'INVALID_QUERY') => {
    const reply = await search(query);
    expect([reply.status, reply.codes[0]]).toEqual([400, code]);
    expect(reply.text.length).toBeLessThan(2_000);
  });

  it('(51 aggregates and groups) is refused', async () => {
    const of = ['id', 'title', 'body', 'status', 'secret', 'qty', 'price', 'rating', 'owner'];
    const ordered = of.slice(0, 8).filter((name) => name !== 'status');
    const aggregate = { count: of, countDistinct: of, min: ordered, max: ordered };
    const groups = [...of, 'category', 'featured', 'published_at', 'date_created'];
    const times = ['year', 'month', 'week', 'day', 'hour'].map((fn) => `${fn}(published_at)`);
    const groupBy = [...groups, ...times];
    expect((await search({ aggregate, groupBy }, 'admin')).status).toBe(200);
    const more = [...groupBy, 'minute(published_at)'];
    expect((await search({ aggregate, groupBy: more }, 'admin')).codes).toEqual(['INVALID_QUERY']);
  });

  it.each<[string, string]>([
    ['a list of a million', `{"query":{"filter":{"id":{"_in":[${'1,'.repeat(1_000_000)}1]}}}}`],
    ['10 MB', `{"query":{"search":"${'x'.repeat(10_000_000)}"}}`],
  ])('(%s) is refused before it is read', async (_, body) => {
    const sent = fetch(`${sample.app.url}/items/articles`, {
      method: 'SEARCH',
      body,
      headers: { 'content-type': 'application/json' },
    });
    // The server may close the socket of a client that continues to send.
    const response = await sent.catch((error: unknown) => error);
    if (response instanceof Response) expect(response.status).toBe(413);
    expect((await sample.as(null).get('/server/ping')).text).toBe('pong');
  });

  it('(as much as the bounds allow) is answered', async () => {
    for (const query of [
      { filter: nested(14, '_and', TITLED) },
      { filter: { id: { _in: many(10_000, (index) => index) } } },
      { fields: ['notes.article.notes.article.notes.id'] },
      { fields: names(20), alias: aliased(20, 'title') },
      opened(19, 12),
    ]) {
      expect((await search(query)).text).toContain('"data":');
    }
  });
});

describe('60: a query over GraphQL that asks for too much', () => {
  it.each<[string, string, object]>([
    ['a filter 31 deep', 'articles(filter: $f) { id }', { f: nested(31, '_and', TITLED) }],
    [
      'a filter of 1,001 members',
      'articles(filter: $f) { id }',
      { f: { _or: many(1_001, () => TITLED) } },
    ],
    [
      'a list of 10,001',
      'articles(filter: $f) { id }',
      { f: { id: { _in: many(10_001, (i) => i) } } },
    ],
    [
      'a filter of groups',
      'articles_aggregated(filter: $f) { countAll }',
      { f: nested(31, '_and', TITLED) },
    ],
    ['relations 6 deep', '...F', {}],
    [
      'one relation under 21 names',
      `articles { ${names(21)
        .map((name) => `${name}: notes { id }`)
        .join(' ')} }`,
      {},
    ],
    ['a limit beyond the greatest', 'articles(limit: 10001) { id }', {}],
    [
      'limits that together are',
      'a: articles(limit: 6000) { id } b: articles(limit: 6000) { id }',
      {},
    ],
  ])('(%s) is refused', async (what, selection, variables) => {
    const hops = 'category { parent { parent { parent { parent { parent { name } } } } } }';
    const fragment = selection === '...F' ? `fragment F on Query { articles { ${hops} } }` : '';
    const head = 'f' in variables ? 'query ($f: articles_filter)' : 'query';
    const reply = await sample.graphql('spy', `${head} { ${selection} } ${fragment}`, variables);
    expect(reply.codes).toEqual([what.startsWith('a list') ? 'INVALID_PAYLOAD' : 'INVALID_QUERY']);
  });
});
