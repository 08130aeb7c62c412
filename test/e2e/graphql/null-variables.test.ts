import { type Newsroom, openNewsroom } from '../extension/newsroom';

let world: Newsroom;
beforeAll(async () => {
  world = await openNewsroom();
});
afterAll(() => world.app.close());

type Case = readonly [query: string, variables: Readonly<Record<string, unknown>>, named: string];

const ITEMS: readonly Case[] = [
  ['query ($i: ID = 1) { articles_by_id(id: $i) { id } }', { i: null }, '$i'],
  [
    'mutation ($d: create_articles_input = {title: "x"}) { create_articles_item(data: $d) { id } }',
    { d: null },
    '$d',
  ],
  ['mutation ($k: [ID] = [1]) { delete_articles_items(ids: $k) { ids } }', { k: null }, '$k'],
  ['query ($f: articles_filter = {}) { articles(filter: {_and: [$f]}) { id } }', { f: null }, '$f'],
  ['query ($x: Boolean = true) { articles { id title @include(if: $x) } }', { x: null }, '$x'],
  ['query ($x: Boolean = true) { articles @skip(if: $x) { id } }', { x: null }, '$x'],
  [
    'query ($x: Boolean = true) { articles { ...part } } fragment part on articles { notes { ...deep } } fragment deep on notes { id @skip(if: $x) }',
    { x: null },
    '$x',
  ],
  [
    'query ($f: notes_filter = {}) { articles { notes(filter: {_or: [$f]}) { id } } }',
    { f: null },
    '$f',
  ],
];

describe('null for a variable whose default made it valid where null is not', () => {
  it.each<Case>([...ITEMS])(
    'is refused before anything runs: %s',
    async (query, variables, named) => {
      for (const caller of ['admin', null] as const) {
        const { status, body } = await world.as(caller).post('/graphql', { query, variables });
        expect([status, body]).toMatchObject([
          400,
          {
            errors: [
              {
                message: `Invalid query: the variable ${named} must not be null.`,
                extensions: { code: 'INVALID_QUERY' },
              },
            ],
          },
        ]);
        expect(body).not.toHaveProperty('data');
      }
    },
  );

  it('is refused in a sign-in, with every such variable named', async () => {
    const query =
      'mutation ($e: String = "a@b.c", $p: String = "x") { auth_login(email: $e, password: $p) { expires } }';
    const variables = { e: null, p: null };
    const { status, text } = await world.as(null).post('/graphql/system', { query, variables });
    expect(status).toBe(400);
    expect(text).toContain('$e must not be null');
    expect(text).toContain('$p must not be null');
  });

  it('writes nothing where only a field of the answer is concerned', async () => {
    const query =
      'mutation ($s: Boolean = false) { create_articles_item(data: {title: "ghost of null"}) { id title @skip(if: $s) } }';
    const variables = { s: null };
    const { status, codes } = await world.as('admin').post('/graphql', { query, variables });
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    const list = '{ articles(filter: {title: {_eq: "ghost of null"}}) { id } }';
    const { body } = await world.as('admin').post('/graphql', { query: list });
    expect(body).toMatchObject({ data: { articles: [] } });
  });

  it.each<readonly [query: string, variables: Readonly<Record<string, unknown>>]>([
    ['query ($x: Boolean = true) { articles { id title @include(if: $x) } }', {}],
    ['query ($n: Int = 1) { articles(limit: $n) { id } }', { n: null }],
    [
      'query ($n: Int, $f: articles_filter) { articles(limit: $n, filter: $f) { id } }',
      { n: null, f: null },
    ],
    [
      'query a($x: Boolean = true) { articles { id @skip(if: $x) __typename } } query b($x: Int) { articles(limit: $x) { id } }',
      { x: null },
    ],
  ])(
    'is accepted where null is allowed, and left out it is the default: %s',
    async (query, variables) => {
      const { status, body } = await world.as('admin').post('/graphql', {
        query,
        variables,
        operationName: query.startsWith('query a') ? 'b' : undefined,
      });
      expect([status, body]).not.toHaveProperty('1.errors');
      expect(status).toBe(200);
    },
  );
});
