import { type Newsroom, openNewsroom } from '../extension/newsroom';

let world: Newsroom;
beforeAll(async () => {
  world = await openNewsroom();
});
afterAll(() => world.app.close());

const ask = (query: string, variables: object = {}, path = '/graphql') =>
  world.as('admin').post(path, { query, variables });

/** This number of fields in one document. */
const lists = (count: number, field: (name: string) => string): string =>
  Array.from({ length: count }, (_, at) => field(`a${at}`)).join(' ');

describe('with lists that read as many rows as a request may', () => {
  const WHOLE = 'users(limit: 10000) { id }';
  const ROWS = 'articles(limit: 10000) { id }';

  it.each(['', '(limit: 5)', '(limit: -1)', '(limit: 9000, page: 7)', '(groupBy: [], limit: 9)'])(
    'an aggregate of all items is answered, whatever its limit is: %s',
    async (args) => {
      const { data, codes } = await ask(`{ ${ROWS} a: articles_aggregated${args} { countAll } }`);
      expect([codes, (data['a'] as object[]).length]).toEqual([[], 1]);
    },
  );

  it('an aggregate in groups is a list like any other', async () => {
    const groups = 'articles_aggregated(groupBy: ["id"]) { countAll }';
    expect((await ask(`{ ${ROWS} ${groups} }`)).codes).toEqual(['INVALID_QUERY']);
  });

  it('the caller’s own roles are answered, since they are few', async () => {
    const { data, codes } = await ask(`{ ${WHOLE} roles_me { id } }`, {}, '/graphql/system');
    expect([codes, Array.isArray(data['roles_me'])]).toEqual([[], true]);
  });
});

it('twenty aggregates of all items with the highest limit are answered', async () => {
  const all = lists(20, (name) => `${name}: articles_aggregated(limit: -1) { countAll }`);
  expect((await ask(`{ ${all} }`)).codes).toEqual([]);
});

const FRAGMENTS = [
  ['S', 'articles_aggregated { sum @include(if: $no) { qty } countAll @include(if: $no) }'],
  ['Q', 'articles_aggregated_sum { qty }'],
] as const;

describe('what the GraphQL standard allows in an aggregate', () => {
  const one = async (fields: string, variables: object = {}): Promise<unknown> => {
    const fragments = FRAGMENTS.filter(([name]) => fields.includes(`...${name}`));
    const query = `query ($no: Boolean = false) { articles_aggregated { ${fields} } z: __typename @include(if: $no) }
      ${fragments.map(([name, of]) => `fragment ${name} on ${of}`).join(' ')}`;
    const { data, codes } = await ask(query, variables);
    expect(codes).toEqual([]);
    return (data['articles_aggregated'] as unknown[])[0];
  };

  it.each<[string, object]>([
    ['sum { qty @include(if: $no) }', { sum: {} }],
    ['sum { qty @skip(if: true) } countAll', { sum: {}, countAll: expect.any(Number) }],
    [
      'sum { qty @include(if: $no) __typename }',
      { sum: { __typename: 'articles_aggregated_sum' } },
    ],
    ['sum { ...Q @skip(if: true) }', { sum: {} }],
    ['sum { ... @include(if: $no) { qty } }', { sum: {} }],
    ['count { __typename }', { count: { __typename: 'articles_aggregated_count' } }],
    [
      'count { __typename } countAll',
      { count: { __typename: expect.any(String) }, countAll: expect.any(Number) },
    ],
    ['sum { __typename }', { sum: { __typename: 'articles_aggregated_sum' } }],
    ['__typename', { __typename: 'articles_aggregated' }],
    ['...S', {}],
    ['...S __typename', { __typename: 'articles_aggregated' }],
    ['a: sum { qty } b: sum { qty @skip(if: true) }', { a: { qty: expect.any(String) }, b: {} }],
    [
      'a: sum { qty } b: sum { x: qty }',
      { a: { qty: expect.any(String) }, b: { x: expect.any(String) } },
    ],
  ])('%s', async (fields, answer) => {
    expect(await one(fields)).toEqual(answer);
  });
});
