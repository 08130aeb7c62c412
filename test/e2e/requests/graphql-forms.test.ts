import { type Newsroom, openNewsroom } from '../extension/newsroom';

let world: Newsroom;
beforeAll(async () => {
  world = await openNewsroom();
});
afterAll(() => world.app.close());

const ask = (query: string, variables: object = {}) =>
  world.as('admin').post('/graphql', { query, variables });

describe('an aggregate without groups is of all items together', () => {
  it.each(['__typename', 'group'])('even if only %s is requested', async (name) => {
    const { data } = await ask(`{ articles_aggregated { ${name} } }`);
    expect(data['articles_aggregated']).toHaveLength(1);
  });

  it('even if there are none', async () => {
    const { data } = await ask('{ articles_aggregated(filter: {id: {_eq: 99}}) { countAll } }');
    expect(data).toEqual({ articles_aggregated: [{ countAll: 0 }] });
  });
});

describe('functions of a field in a filter', () => {
  const FILTERED =
    'query ($year: number_filter_operators) { articles(filter: {published_at_func: {year: $year}}) { id } }';

  it('are refused if none is named, as operators are', async () => {
    expect((await ask(FILTERED)).codes).toEqual(['INVALID_QUERY']);
    expect((await ask(FILTERED, { year: {} })).codes).toEqual(['INVALID_QUERY']);
  });

  it('that are null are reported as a malformed filter, not as a missing field', async () => {
    const { codes } = await ask('{ articles(filter: {published_at_func: null}) { id } }');
    expect(codes).toEqual(['INVALID_QUERY']);
  });

  it('are applied if one is named', async () => {
    expect((await ask(FILTERED, { year: { _eq: 2023 } })).data).toEqual({
      articles: [{ id: '3' }],
    });
  });
});

it('a path below the endpoint is reported as it was requested', async () => {
  const { body } = await world.as('admin').send('POST', '/graphql/x', { query: '{ site { id } }' });
  expect(body).toMatchObject({ errors: [{ extensions: { path: '/graphql/x' } }] });
});

it('an update that @include leaves out needs no keys', async () => {
  const query = `mutation ($do: Boolean!, $ids: [ID]) {
    update_articles_items(ids: $ids, data: {qty: 1}) @include(if: $do) { id } update_site(data: {}) { id } }`;
  expect((await ask(query, { do: false })).data).toEqual({ update_site: { id: '1' } });
  expect((await ask(query, { do: true })).codes).toEqual(['INVALID_PAYLOAD']);
});
