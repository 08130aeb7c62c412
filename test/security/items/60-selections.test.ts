import type { Reply } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

const HOPS = 2_000;
const path = (first: string, hops: number): string => `${first}${'.parent'.repeat(hops)}`;
const below = (hops: number, inner: object): object =>
  Array.from({ length: hops }).reduce<object>((rest) => ({ parent: rest }), inner);

const search = (query: object, caller = 'admin'): Promise<Reply> =>
  sample.as(caller).send('SEARCH', '/items/articles', { query });

describe('60: a path of 14 kB', () => {
  it.each<[string, object]>([
    ['in fields', { fields: path('category', HOPS) }],
    ['in fields, of stars', { fields: Array(HOPS).fill('*').join('.') }],
    ['in fields, behind an alias', { fields: path('x', HOPS), alias: { x: 'category' } }],
    ['in fields, 200 times', { fields: Array(200).fill(path('category', HOPS / 10)) }],
    ['in deep', { fields: 'category.name', deep: { category: below(150, {}) } }],
    ['that is only dots', { fields: '.'.repeat(400_000) }],
  ])('%s is refused by its depth or its form', async (_, query) => {
    const { status, codes, text } = await search(query);
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(text.length).toBeLessThan(2_000);
  });

  it.each<[string, string]>([
    ['fields', `fields=${path('category', HOPS)}`],
    ['an alias', `fields=${path('x', HOPS)}&alias[x]=category`],
  ])('in the URL is refused, in %s', async (_, query) => {
    const { status, codes } = await sample.as('spy').get(`/items/articles?${query}`);
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
  });

  it.each<[string, string, object]>([
    ['in alias', 'FORBIDDEN', { fields: 'x', alias: { x: path('category', HOPS) } }],
    ['in sort', 'INVALID_QUERY', { sort: path('category', HOPS) }],
    ['in a group', 'INVALID_QUERY', { aggregate: { count: '*' }, groupBy: path('category', HOPS) }],
  ])('%s is refused as %s', async (_, code, query) => {
    expect((await search(query)).codes).toEqual([code]);
  });

  it('in the answer of a write is refused before anything is written', async () => {
    const reply = await sample
      .as('admin')
      .post(`/items/articles?fields=${path('category', HOPS)}`, { title: 'x' });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
  });
});

describe('60: a selection of the maximum depth', () => {
  it('gets the same answer over REST and GraphQL', async () => {
    const rest = await search({
      fields: ['category.parent.parent.parent.parent.name'],
      filter: { id: { _eq: 1 } },
    });
    const graphql = await sample.graphql(
      'admin',
      '{ articles(filter: {id: {_eq: 1}}) { category { parent { parent { parent { parent { name } } } } } } }',
    );
    expect(rest.data).toEqual([{ category: { parent: { parent: null } } }]);
    expect(graphql.data).toEqual({ articles: rest.data });
  });

  it('can name a relation by a star and by its name at once', async () => {
    const { data } = await search({
      fields: ['*.*', 'category.parent.name', 'notes.text', 'again.name', 'title'],
      alias: { again: 'category' },
      deep: { tags: { _limit: 0 }, notes: { _sort: '-text', _alias: { said: 'text' } } },
      filter: { id: { _eq: 1 } },
    });
    expect(data).toMatchObject([
      {
        title: 'Rivers',
        category: { id: 2, name: 'Europe', parent: { name: 'World' } },
        again: { id: 2, name: 'Europe', parent: 1 },
        tags: [],
        notes: [{ text: 'Whispered' }, { text: 'Seen' }],
      },
    ]);
  });
});
