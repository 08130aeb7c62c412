import { createHash } from 'node:crypto';
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { cacheExchange, createClient, fetchExchange } from '@urql/core';
import { openSample, type Sample } from './open-sample';

/** Published clients, unchanged, with their default options: they get only the address and a token. */

let sample: Sample;

beforeAll(async () => {
  sample = await openSample();
});

afterAll(() => sample.app.close());

const headers = (token = sample.token): { authorization: string } => ({
  authorization: `Bearer ${token}`,
});

const LIST = `query Articles($first: GraphQLStringOrFloat, $sort: [String]) {
  articles(filter: { qty: { _gte: $first } }, sort: $sort) {
    id title published_at_func { year month } tags_func { count }
  }
}`;
const LISTED = [
  { id: '4', title: 'Dogwood', year: 2023, month: 3, count: 0 },
  { id: '3', title: 'Cedar', year: 2022, month: 3, count: 0 },
];
const CREATE = `mutation ($data: create_articles_input!) {
  create_articles_item(data: $data) { id title }
}`;
const UPDATE = `mutation ($ids: [ID], $data: update_articles_input!) {
  update_articles_items(ids: $ids, data: $data) { id qty }
}`;
const DELETE = 'mutation ($ids: [ID]!) { delete_articles_items(ids: $ids) { ids } }';
const MISSING = '{ articles_by_id(id: "4711") { id } }';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly published_at_func: { readonly year: number; readonly month: number };
  readonly tags_func: { readonly count: number };
}

const flat = (rows: readonly Row[]): unknown[] =>
  rows.map(({ id, title, published_at_func: { year, month }, tags_func: { count } }) => ({
    ...{ id, title, year, month, count },
  }));

interface Answered {
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly codes: readonly unknown[];
}

interface Client {
  query(document: string, variables?: object): Promise<Answered>;
  mutate(document: string, variables: object): Promise<Answered>;
}

function apollo(token?: string): Client {
  const link = new HttpLink({ uri: `${sample.app.url}/graphql`, headers: headers(token) });
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const answered = async (asked: Promise<{ data?: unknown }>): Promise<Answered> => {
    try {
      return { data: (await asked).data as Answered['data'], codes: [] };
    } catch (error) {
      if (!CombinedGraphQLErrors.is(error)) throw error;
      return { data: undefined, codes: error.errors.map(({ extensions }) => extensions?.['code']) };
    }
  };
  return {
    query: (document, variables = {}) =>
      answered(client.query({ query: gql(document), variables })),
    mutate: (document, variables) =>
      answered(client.mutate({ mutation: gql(document), variables })),
  };
}

function urql(token?: string): Client & { readonly methods: readonly string[] } {
  const methods: string[] = [];
  const client = createClient({
    url: `${sample.app.url}/graphql`,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers: headers(token) },
    fetch: (input, init) => {
      methods.push(init?.method ?? 'GET');
      return fetch(input, init);
    },
  });
  const answered = ({ data, error }: { data?: unknown; error?: UrqlError }): Answered => {
    if (error?.networkError) throw error.networkError;
    const codes = (error?.graphQLErrors ?? []).map(({ extensions }) => extensions['code']);
    return { data: data as Answered['data'], codes };
  };
  return {
    methods,
    query: async (document, variables = {}) => answered(await client.query(document, variables)),
    mutate: async (document, variables) => answered(await client.mutation(document, variables)),
  };
}

interface UrqlError {
  readonly networkError?: Error;
  readonly graphQLErrors: readonly { readonly extensions: Readonly<Record<string, unknown>> }[];
}

describe.each([
  ['Apollo Client', apollo],
  ['urql', urql],
])('%s', (_, clientOf) => {
  it('lists with a filter, sorted, with functions of fields', async () => {
    const { data, codes } = await clientOf().query(LIST, { first: 2, sort: ['-qty'] });
    expect([codes, flat(data?.['articles'] as Row[])]).toEqual([[], LISTED]);
  });

  it('creates, updates and deletes items by their keys', async () => {
    const client = clientOf();
    const made = await client.mutate(CREATE, { data: { title: 'Fir', qty: 1 } });
    const id = (made.data?.['create_articles_item'] as { id: string } | undefined)?.id;
    expect(typeof id).toBe('string');
    const changed = await client.mutate(UPDATE, { ids: [id], data: { qty: 7 } });
    expect(changed.data?.['update_articles_items']).toMatchObject([{ id, qty: 7 }]);
    const deleted = await client.mutate(DELETE, { ids: [id] });
    expect(deleted.data?.['delete_articles_items']).toMatchObject({ ids: [id] });
  });

  it('gets the code of a refusal if the answer contains nothing else', async () => {
    const { codes } = await clientOf().query(MISSING);
    expect(codes).toEqual(['FORBIDDEN']);
    const refused = await clientOf().mutate(CREATE, { data: {} });
    expect(refused.codes).toEqual(['FAILED_VALIDATION']);
  });

  it.each([
    ['{ articles { nothing } }', undefined, 'INVALID_QUERY'],
    ['query ($id: ID!) { articles_by_id(id: $id) { id } }', undefined, 'INVALID_PAYLOAD'],
    ['{ articles { id } }', 'a token that ended', 'INVALID_CREDENTIALS'],
  ])('gets the code of a document that is not executed: %s', async (document, token, code) => {
    expect((await clientOf(token).query(document)).codes).toEqual([code]);
  });
});

it.each([false, true])(
  'Apollo Client that persists its queries, by GET: %s, learns that none are, and sends them in full',
  async (useGETForHashedQueries) => {
    const sent: boolean[] = [];
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const http = new HttpLink({
      uri: `${sample.app.url}/graphql`,
      headers: headers(),
      fetch: (input, init) => {
        sent.push(JSON.stringify([input, init?.body]).includes('persistedQuery'));
        return fetch(input, init);
      },
    });
    const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(http);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    for (const id of ['3', '4']) {
      const query = gql(`{ articles_by_id(id: "${id}") { id } }`);
      expect((await client.query({ query })).data).toMatchObject({ articles_by_id: { id } });
    }
    expect(sent).toEqual([true, false, false]);
  },
);

it('urql sends its queries by GET and its mutations by POST', async () => {
  const client = urql();
  await client.query('{ tags { id } }');
  await client.mutate(UPDATE, { ids: ['1'], data: { qty: 0 } });
  expect(client.methods).toEqual(['GET', 'POST']);
});
