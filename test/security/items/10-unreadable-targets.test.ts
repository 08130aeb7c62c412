import { read } from '../../factories';
import type { Reply } from '../../support';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

/** Tom may read the relations of articles, but none of the collections that they lead to. */
beforeAll(async () => {
  const fields = ['title', 'category', 'owner', 'notes', 'tags'];
  sample = await openSampleWorld({
    policies: { telling: [read('articles', fields)] },
    users: { tom: { policies: ['telling'] } },
  });
});

afterAll(() => sample.app.close());

const search = (query: object): Promise<Reply> =>
  sample.as('tom').send('SEARCH', '/items/articles', { query });
const one = (query: object): Promise<Reply> => search({ filter: { id: { _eq: 1 } }, ...query });

describe('10: a field that leads to a collection that the caller cannot read', () => {
  it.each<[string, object]>([
    ['in fields', { fields: 'category.zzz' }],
    ['in fields, by a name that exists', { fields: 'category.name' }],
    ['in fields, of a list', { fields: 'notes.zzz' }],
    ['in a filter', { filter: { category: { zzz: { _eq: 1 } } } }],
    ['in a filter of a list', { filter: { notes: { _none: { zzz: { _eq: 1 } } } } }],
    ['in a sort', { sort: 'category.zzz' }],
    ['in deep', { fields: 'notes', deep: { notes: { _filter: { zzz: { _eq: 1 } } } } }],
    ['in a nested alias', { fields: 'notes', deep: { notes: { _alias: { x: 'zzz' } } } }],
    ['in a group', { aggregate: { count: '*' }, groupBy: 'category.zzz' }],
    ['in a variable', { filter: { title: { _eq: '$CURRENT_USER.zzz' } } }],
  ])('is refused without naming the collection %s', async (_, query) => {
    const { codes, text, body } = await search(query);
    expect(codes).toEqual(['FORBIDDEN']);
    expect(text).not.toMatch(/categories|service_users/);
    const { errors } = body as { errors: { extensions: { collection?: string } }[] };
    expect(errors[0]?.extensions.collection).toBeUndefined();
  });

  it('is refused with its name if the caller may read part of the collection', async () => {
    const { body } = await sample
      .as('spy')
      .send('SEARCH', '/items/articles', { query: { fields: 'category.zzz' } });
    expect(body).toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN', collection: 'categories', field: 'zzz' } }],
    });
  });

  it.each<[string, object, object]>([
    ['a list', { fields: 'notes' }, { notes: [] }],
    ['a list of links', { fields: 'tags' }, { tags: [] }],
    ['a list of everything', { fields: 'notes.*' }, { notes: [] }],
    ['a page of a list', { fields: 'notes', deep: { notes: { _limit: 1 } } }, { notes: [] }],
    ['a list under another name', { fields: 'a', alias: { a: 'notes' } }, { a: [] }],
    ['a row', { fields: 'category.*' }, { category: null }],
    ['everything, with relations', { fields: ['*.*', 'notes.*'] }, { category: null, notes: [] }],
  ])('is empty: %s', async (_, query, expected) => {
    const { status, data } = await one(query);
    expect([status, data]).toEqual([200, [expect.objectContaining(expected)]]);
  });

  it.each<[string, object, number]>([
    ['has items', { notes: { _some: {} } }, 0],
    ['has no items', { notes: { _none: {} } }, 5],
    ['has no links', { tags: { _none: {} } }, 5],
    ['is a row, without a condition', { category: { _and: [] } }, 0],
    ['has the size 0', { 'count(notes)': { _eq: 0 } }, 5],
  ])('is empty for a filter that asks whether it %s', async (_, filter, count) => {
    const { status, data } = await search({ filter });
    expect([status, (data as unknown as unknown[]).length]).toEqual([200, count]);
  });

  it('is empty over GraphQL', async () => {
    const { status, body } = await sample.graphql(
      'tom',
      '{ articles(filter: {id: {_eq: 1}}) { title notes { __typename } owner { __typename } } }',
    );
    expect([status, body]).toEqual([
      200,
      { data: { articles: [{ title: 'Rivers', notes: [], owner: null }] } },
    ]);
    const named = await sample.graphql('tom', '{ articles { notes { id } } }');
    expect([named.status, named.codes]).toEqual([403, ['FORBIDDEN']]);
  });
});
