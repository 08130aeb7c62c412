import { read, seed, type World } from '../factories';
import { SampleModule } from '../sample-extension/sample.module';
import { type Reply, startTestApp } from '../support';

const SECRET_NAMES = /articles|categories|shipments|permissions|service_|first_name|tfa_secret/;

let world: World;

beforeAll(async () => {
  const env = { GRAPHQL_INTROSPECTION: 'false', GRAPHQL_PLAYGROUND: 'false' };
  world = await seed(await startTestApp({ imports: [SampleModule], env }), {
    policies: { taggers: [read('tags', ['name'])] },
    users: { ann: { policies: ['taggers'] } },
  });
});

afterAll(() => world.app.close());

const CALLERS = [null, 'ann', 'admin'];
const ENDPOINTS = ['/graphql', '/graphql/system'];

type Asked = readonly [endpoint: string, query: string, variables?: object];

const ask = (caller: string | null, [path, query, variables]: Asked): Promise<Reply> =>
  world.as(caller).post(path, { query, ...(variables && { variables }) });

const byGet = (caller: string | null, [path, query]: Asked): Promise<Reply> =>
  world.as(caller).send('GET', `${path}?query=${encodeURIComponent(query)}`, undefined, {
    'apollo-require-preflight': 'yes',
  });

describe('62: where introspection is off, the schema', () => {
  it.each([
    '{ __schema { types { name } } }',
    '{ __schema { queryType { fields { name } } } }',
    '{ __type(name: "users") { fields { name } } }',
    '{ innocent: __schema { directives { name } } }',
    'query Q { ...F } fragment F on Query { __schema { types { name } } }',
    '{ ... on Query { ... { __type(name: "Query") { fields { name } } } } }',
    'query IntrospectionQuery { __typename __schema { subscriptionType { name } types { kind } } }',
    'mutation { __schema { types { name } } }',
    'query A { __typename } query B { __schema { types { name } } }',
  ])('is shown to no one, by POST or GET: %s', async (query) => {
    for (const caller of CALLERS) {
      for (const path of ENDPOINTS) {
        for (const { status, text } of [
          await ask(caller, [path, query]),
          await byGet(caller, [path, query]),
        ]) {
          expect([caller, path, status]).toEqual([caller, path, 400]);
          expect(text).not.toMatch(SECRET_NAMES);
          expect(text).toContain('introspection is off');
          expect(text).not.toContain('Apollo');
        }
      }
    }
  });

  it.each(['', '/items', '/system'])('is not served as a document: %s', async (path) => {
    for (const caller of CALLERS) {
      const { status, codes, text } = await world.as(caller).get(`/server/specs/graphql${path}`);
      expect([status, codes]).toEqual([404, ['ROUTE_NOT_FOUND']]);
      expect(text).not.toMatch(/type |articles/);
    }
  });

  it('has no editor either', async () => {
    for (const path of ENDPOINTS) {
      const page = await world.as(null).send('GET', path, undefined, { accept: 'text/html' });
      expect(page.status).toBeGreaterThanOrEqual(400);
    }
  });

  /** Near guesses: names with one letter too many or too few. */
  const GUESSES: readonly [string, string, (guess: string) => Asked][] = [
    ['an operation', 'permissionss', (guess) => ['/graphql/system', `{ ${guess} { id } }`]],
    ['a mutation', 'auth_logn', (guess) => ['/graphql/system', `mutation { ${guess} }`]],
    ['a collection', 'articless', (guess) => ['/graphql', `{ ${guess} { id } }`]],
    ['a field', 'first_nam', (guess) => ['/graphql/system', `{ users { ${guess} } }`]],
    [
      'a field of a relation',
      'nam',
      (guess) => ['/graphql', `{ articles { category { ${guess} } } }`],
    ],
    ['an argument', 'filterr', (guess) => ['/graphql', `{ articles(${guess}: 1) { id } }`]],
    [
      'a field of a filter',
      'titl',
      (guess) => ['/graphql', `{ articles(filter: {${guess}: {_eq: 1}}) { id } }`],
    ],
    [
      'an operator',
      '_eqq',
      (guess) => ['/graphql', `{ articles(filter: {title: {${guess}: "x"}}) { id } }`],
    ],
    [
      'a field of a filter in a variable',
      'titl',
      (guess) => [
        '/graphql',
        'query ($f: articles_filter) { articles(filter: $f) { id } }',
        { f: { [guess]: { _eq: 1 } } },
      ],
    ],
    [
      'a field of an input',
      'titl',
      (guess) => ['/graphql', `mutation { create_articles_item(data: {${guess}: "x"}) { id } }`],
    ],
    [
      'a value of an enumeration',
      'cooki',
      (guess) => ['/graphql/system', `mutation { auth_logout(mode: ${guess}) }`],
    ],
    [
      'a value of an enumeration in a variable',
      'cooki',
      (guess) => [
        '/graphql/system',
        'mutation ($mode: auth_mode) { auth_logout(mode: $mode) }',
        { mode: guess },
      ],
    ],
    ['a type', 'article', (guess) => ['/graphql', `{ ... on ${guess} { id } }`]],
    [
      'a type of a variable',
      'articles_filte',
      (guess) => ['/graphql', `query ($a: ${guess}) { __typename }`],
    ],
    ['a directive', 'includ', (guess) => ['/graphql', `{ __typename @${guess} }`]],
  ];

  it.each(GUESSES)('answers a near guess like a far one: %s', async (_, near, query) => {
    const far = 'qqqwwwzzz';
    for (const caller of CALLERS) {
      const answers = await Promise.all([near, far].map((guess) => ask(caller, query(guess))));
      const texts = answers.map(({ text }, index) =>
        text.replaceAll([near, far][index] ?? '', '?'),
      );
      const places = texts.map((text) => text.replaceAll(/"column":\d+/g, ''));
      expect(places[0]).toBe(places[1]);
      expect(texts.join('\n')).not.toMatch(/did you mean/i);
    }
  });

  it('cannot be learned from the OpenAPI document: of collections it shows what the caller sees', async () => {
    const names = async (caller: string | null): Promise<string[]> => {
      const { status, text } = await world.as(caller).get('/server/specs/oas');
      expect(status).toBe(200);
      return ['tags', 'articles', 'categories'].filter((name) => text.includes(`/items/${name}`));
    };
    expect(await names(null)).toEqual([]);
    expect(await names('ann')).toEqual(['tags']);
    expect(await names('admin')).toHaveLength(3);
  });

  it.each(['/collections', '/fields', '/relations'])(
    'cannot be learned from %s either',
    async (path) => {
      for (const caller of [null, 'ann']) {
        const { text } = await world.as(caller).get(path);
        expect(text).not.toMatch(/articles|categories|"secret"/);
        const names = ['/articles', '/nothing'];
        if (path !== '/collections') names.push('/articles/secret', '/articles/nothing');
        for (const name of names) {
          expect((await world.as(caller).get(path + name)).codes).toEqual(['FORBIDDEN']);
        }
      }
    },
  );
});
