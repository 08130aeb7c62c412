import { SampleModule } from '../sample-extension/sample.module';
import {
  as,
  Browser,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

/** What GraphQL clients rely on: signatures, statuses, and what an invalid token or a GET may do. */

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp({ imports: [SampleModule] });
  token = (await signIn(test, TEST_ADMIN)).access_token;
  await admin().post('/items/articles', [
    { title: 'Rivers', published_at: '2024-02-29T23:30:15Z', metadata: [1, 2, 3] },
    { title: 'Hills', notes: [{ text: 'One' }, { text: 'Two' }] },
  ]);
});

afterAll(() => test.close());

const admin = () => as(test, token);
const ask = (query: string, variables: object = {}, path = '/graphql'): Promise<Reply> =>
  admin().graphql(query, variables, path);

const TYPE = `query ($type: String!) {
  __type(name: $type) { fields { name args { name type { ...T } } type { ...T } } }
}
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeRef | null;
}

interface Signed {
  readonly name: string;
  readonly args: readonly { readonly name: string; readonly type: TypeRef }[];
  readonly type: TypeRef;
}

function written({ kind, name, ofType }: TypeRef): string {
  if (kind === 'NON_NULL' && ofType) return `${written(ofType)}!`;
  if (kind === 'LIST' && ofType) return `[${written(ofType)}]`;
  return name ?? '';
}

/** `update_articles_items(ids: [ID], …): [articles!]`, by name. */
async function signatures(type: string, path: string): Promise<Map<string, string>> {
  const { data } = await ask(TYPE, { type }, path);
  const { fields } = data['__type'] as { fields: readonly Signed[] };
  return new Map(
    fields.map(({ name, args, type: answer }) => {
      const sent = args.map((arg) => `${arg.name}: ${written(arg.type)}`).join(', ');
      return [name, `${sent === '' ? name : `${name}(${sent})`}: ${written(answer)}`];
    }),
  );
}

it.each([
  'create_permissions_item(data: create_permissions_input!): permissions',
  'create_permissions_items(data: [create_permissions_input!]!): [permissions!]',
  'update_permissions_item(id: ID!, data: update_permissions_input!): permissions',
  'update_permissions_items(id: [ID!]!, data: update_permissions_input!): [permissions!]',
  'delete_permissions_item(id: ID!): delete_one',
  'delete_permissions_items(ids: [ID!]!): delete_many',
  'update_roles_items(ids: [ID], id: [ID], data: update_roles_input!): [roles!]',
  'delete_roles_items(ids: [ID]!): delete_many',
])('%s', async (signature) => {
  const name = /^\w+/.exec(signature)?.[0] ?? '';
  expect((await signatures('Mutation', '/graphql/system')).get(name)).toBe(signature);
});

it('keys are ID, and functions of fields have the same names in answers as in filters', async () => {
  const articles = await signatures('articles', '/graphql');
  const shown = ['id', 'published_at_func', 'notes_func', 'metadata_func', 'tags', 'title_func'];
  expect(shown.map((name) => articles.get(name)?.replace(/\(.*\)/, ''))).toEqual([
    ...['id: ID', 'published_at_func: datetime_functions', 'notes_func: count_functions'],
    ...['metadata_func: count_functions', 'tags: [tags!]', undefined],
  ]);
  const { data, codes } = await ask(`{
    articles(filter: { published_at_func: { year: { _eq: "2024" } }, id: { _eq: "1" } }) {
      id a: published_at_func { year month week day weekday }
      published_at_func { hour m: minute second __typename } metadata_func { count }
    }
    articles_by_id(id: 2) { published_at_func { year } notes_func { count } notes { article { notes_func { count } } } }
  }`);
  expect(codes).toEqual([]);
  expect(data).toEqual({
    articles: [
      {
        ...{ id: '1', a: { year: 2024, month: 2, week: 9, day: 29, weekday: 4 } },
        published_at_func: { hour: 23, m: 30, second: 15, __typename: 'datetime_functions' },
        metadata_func: { count: 3 },
      },
    ],
    articles_by_id: {
      ...{ published_at_func: { year: null }, notes_func: { count: 2 } },
      notes: Array(2).fill({ article: { notes_func: { count: 2 } } }) as unknown,
    },
  });
});

it('a function of a field that is not granted is refused like the field', async () => {
  const policy = await admin().post('/policies', {
    name: 'Titles',
    permissions: [{ collection: 'articles', action: 'read', fields: ['title'] }],
  });
  const user = { email: 'ann@example.com', password: 'three-green-kettles' };
  await admin().post('/users', { ...user, policies: [policy.data['id']] });
  const ann = as(test, (await signIn(test, user)).access_token);
  const reply = await ann.graphql('{ articles { title published_at_func { year } } }');
  expect([reply.status, reply.codes]).toEqual([200, ['FORBIDDEN']]);
  expect(reply.text).toContain('published_at');
});

describe('an update of many items', () => {
  const update = (args: string, variables?: object, head = ''): Promise<Reply> =>
    ask(
      `mutation ${head} { update_articles_items(${args}data: { qty: 5 }) { id qty } }`,
      variables,
    );

  it.each<[string, object?, string?]>([
    ['ids: [1], '],
    ['id: ["1"], '],
    ['ids: $ids, id: $id, ', { ids: ['1'] }, '($ids: [ID], $id: [ID])'],
    ['ids: $ids, ', { ids: ['1'] }, '($ids: [ID]!)'],
    ['ids: [1], id: null, '],
  ])('accepts %s', async (...asked) => {
    const reply = await update(...asked);
    expect([reply.status, reply.codes]).toEqual([200, []]);
    expect(reply.data).toEqual({ update_articles_items: [{ id: '1', qty: 5 }] });
  });

  it.each<[string, object?, string?]>([
    [''],
    ['ids: [1], id: [2], '],
    ['ids: $ids, ', { ids: null }, '($ids: [ID])'],
    ['ids: $ids, id: $id, ', { ids: [1], id: [2] }, '($ids: [ID], $id: [ID])'],
  ])(
    'refuses %s as a whole, and runs nothing of the document',
    async (...[args, variables, head]) => {
      const query = `mutation ${head ?? ''} {
      update_articles_item(id: 2, data: { qty: 99 }) { id }
      ...Second
    }
    fragment Second on Mutation { update_articles_items(${args}data: { qty: 99 }) { id } }`;
      const reply = await ask(query, variables);
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      const message =
        'Invalid payload: "ids" or "id" must be given to update_articles_items, and only one of them.';
      expect(reply.body).toMatchObject({ errors: [{ message }] });
      expect((await admin().get('/items/articles?filter[qty][_eq]=99')).data).toEqual([]);
    },
  );

  it('refuses a key that is null', async () => {
    const reply = await update('ids: [null], ');
    expect([reply.status, reply.data]).toEqual([200, { update_articles_items: null }]);
    expect(reply.codes).toEqual(['INVALID_PAYLOAD']);
  });
});

describe('the status', () => {
  it.each<[string, number, string[]]>([
    ['{ articles_by_id(id: 4711) { id } }', 200, ['FORBIDDEN']],
    ['{ articles(limit: -7) { id } }', 200, ['INVALID_QUERY']],
    ['mutation { create_articles_item(data: {}) { id } }', 200, ['FAILED_VALIDATION']],
    ['{ a: articles_by_id(id: 4711) { id } b: tags { id } }', 200, ['FORBIDDEN']],
    ['{ articles { nonsense } }', 400, ['INVALID_QUERY']],
    ['{ articles {', 400, ['INVALID_QUERY']],
    ['query ($id: ID!) { articles_by_id(id: $id) { id } }', 400, ['INVALID_PAYLOAD']],
    ['subscription { articles }', 400, ['INVALID_QUERY']],
  ])('of %s is %d', async (query, status, codes) => {
    const reply = await ask(query);
    expect([reply.status, reply.codes]).toEqual([status, codes]);
  });
});

describe('with an invalid token', () => {
  const stale = (query: string): Promise<Reply> =>
    as(test, 'x.y.z').post('/graphql/system', { query });
  const login = `auth_login(email: "${TEST_ADMIN.email}", password: "${TEST_ADMIN.password}") { access_token }`;

  it.each([
    `mutation { ${login} }`,
    `mutation { ...In } fragment In on Mutation { ${login} __typename }`,
    `mutation { auth_password_request(email: "x@example.com") a: ${login} }`,
  ])('%s runs as a caller who is not signed in', async (query) => {
    const reply = await stale(query);
    expect([reply.status, reply.text.includes('INVALID_CREDENTIALS')]).toEqual([200, false]);
    expect(reply.text).toContain('access_token');
  });

  it.each([
    '{ users_me { id } }',
    '{ __typename }',
    `mutation { ${login} delete_users_me { id } }`,
    `mutation { ${login} ... on Mutation @skip(if: true) { update_settings(data: {}) { id } } }`,
  ])('%s is refused as a whole', async (query) => {
    const reply = await stale(query);
    expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
    expect(reply.text).not.toContain('access_token');
  });
});

describe('by GET', () => {
  const url = (query: string): string => `/graphql?query=${encodeURIComponent(query)}`;

  it('a query runs with a bearer token, and without a sign-in', async () => {
    const reply = await admin().get(url('{ articles_by_id(id: 1) { title } }'));
    expect([reply.status, reply.data]).toEqual([200, { articles_by_id: { title: 'Rivers' } }]);
    const nobody = await as(test).get(url('{ articles { title } }'));
    expect([nobody.status, nobody.codes]).toEqual([200, ['FORBIDDEN']]);
  });

  it('a mutation is refused as a wrong method, whoever sends it', async () => {
    for (const client of [admin(), as(test)]) {
      const reply = await client.get(url('mutation { delete_articles_item(id: 1) { id } }'));
      expect([reply.status, reply.codes]).toEqual([405, ['METHOD_NOT_ALLOWED']]);
      expect(reply.headers.get('allow')).toBe('POST');
    }
  });

  it('a query by cookie requires a header that other sites’ pages cannot send', async () => {
    const browser = new Browser(test);
    await browser.send('POST', '/auth/login', { ...TEST_ADMIN, mode: 'session' });
    const ask = (headers?: Record<string, string>) =>
      browser.send('GET', url('{ articles_by_id(id: 1) { title } }'), undefined, headers);
    expect((await ask()).status).toBe(400);
    const asked = await ask({ 'apollo-require-preflight': 'yes' });
    expect([asked.status, asked.codes]).toEqual([200, []]);
  });
});
