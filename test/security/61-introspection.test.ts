import { getIntrospectionQuery, graphql } from 'graphql';
import { GraphqlSchemas } from '../../src/graphql/graphql-schemas';
import { SampleModule } from '../sample-extension/sample.module';
import { as, type Reply, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp({ imports: [SampleModule] });
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const PATH = '/graphql/system';
const ask = (query: string, more: object = {}): Promise<Reply> =>
  as(test, token).post(PATH, { query, ...more });

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const FULL = getIntrospectionQuery({
  ...{ descriptions: true, specifiedByUrl: true, directiveIsRepeatable: true },
  ...{ schemaDescription: true, inputValueDeprecation: true, oneOf: true },
});

/** With this selection repeated often enough, the fields of one type are more than the whole schema. */
const DEEP = 'kind name ofType { kind name ofType { kind name } }';
const args = (index: number): string =>
  `b${index}: name args { name description defaultValue type { ${DEEP} } }`;
const rest = (): string =>
  `${FULL.slice(FULL.indexOf('fragment'))} fragment S on __Schema { types { ...FullType } }`;
const many = (): string =>
  'fragment M on __Type { fields { name args { name type { kind name ofType { kind name } } } type { kind name fields { name type { name } } } } }';

describe('61: introspection that costs more than the whole schema', () => {
  it.each<[string, string, object]>([
    ['everything, twice', `{ a: __schema { ...S } b: __schema { ...S } } ${rest()}`, {}],
    [
      'fields under many names',
      `{ __schema { types { ${repeat(19, (i) => `a${i}: fields { ${args(i)} }`)} } } }`,
      {},
    ],
    [
      'one type twenty times',
      `{ ${repeat(20, (i) => `a${i}: __type(name: "Mutation") { ...M }`)} } ${many()}`,
      {},
    ],
    [
      'one type twenty times, by a variable',
      `query ($n: String!) { ${repeat(20, (i) => `a${i}: __type(name: $n) { ...M }`)} } ${many()}`,
      { variables: { n: 'Mutation' } },
    ],
    [
      'one type twenty times, by the default of a variable',
      `query ($n: String! = "Mutation") { ${repeat(20, (i) => `a${i}: __type(name: $n) { ...M }`)} } ${many()}`,
      {},
    ],
    [
      'the second of two operations',
      `query A { __typename } query B { a: __schema { ...S } b: __schema { ...S } } ${rest()}`,
      { operationName: 'B' },
    ],
    [
      'along with another operation',
      `{ users { id } __schema { types { ${repeat(19, (i) => `a${i}: fields { ${args(i)} }`)} } } }`,
      {},
    ],
  ])('is refused: %s', async (_, query, more) => {
    for (const reply of [await ask(query, more), await ask(query, more)]) {
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
      expect(reply.text).toMatch(/must ask for less of the schema/);
      expect((reply.body as { data?: unknown }).data ?? null).toBeNull();
    }
  });

  it('is not what editors and clients send, even repeatedly', async () => {
    const schema = test.app.get(GraphqlSchemas).of('system');
    const whole = JSON.parse(JSON.stringify(await graphql({ schema, source: FULL }))) as object;
    const first = await ask(FULL);
    expect([first.status, first.body]).toEqual([200, whole]);
    expect(await ask(FULL)).toMatchObject({ status: 200, body: whole });
  });
});

describe('the answer to a repeated introspection', () => {
  const asked =
    'query ($n: String!, $x: Boolean = false) { __type(name: $n) { name fields { name } kind @include(if: $x) } __typename }';
  const of = async (variables: object): Promise<unknown> => (await ask(asked, { variables })).body;

  it('depends on variables, operation and endpoint', async () => {
    for (const round of [1, 2]) {
      const [users, roles] = [await of({ n: 'users' }), await of({ n: 'roles' })];
      expect([round, users]).toMatchObject([round, { data: { __type: { name: 'users' } } }]);
      expect([round, roles]).toMatchObject([round, { data: { __type: { name: 'roles' } } }]);
      expect(await of({ n: 'users', x: true })).toMatchObject({
        data: { __type: { kind: 'OBJECT' } },
      });
      const two =
        'query A { __type(name: "users") { name } } query B { __schema { queryType { name } } }';
      expect((await ask(two, { operationName: 'A' })).data).toEqual({ __type: { name: 'users' } });
      expect((await ask(two, { operationName: 'B' })).data).toEqual({
        __schema: { queryType: { name: 'Query' } },
      });
      const elsewhere = await as(test, token).post('/graphql', {
        query: '{ __type(name: "users") { name } }',
      });
      expect(elsewhere.data).toEqual({ __type: null });
      expect((await ask('{ __type(name: "users") { name } }')).data).toEqual({
        __type: { name: 'users' },
      });
    }
  });

  it('is not used for wrong variables or an invalid token', async () => {
    await of({ n: 'users' });
    for (const variables of [{}, { n: null }, { n: 1 }, { n: ['users'] }]) {
      expect((await ask(asked, { variables })).status).toBe(400);
    }
    await ask(FULL);
    const reply = await as(test, 'bad').post(PATH, { query: FULL });
    expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
  });

  it('is cached within a few megabytes, however many there are', async () => {
    // A guest has no metrics of ours.
    const own = await startTestApp({ host: 'own' });
    try {
      const admin = as(own, (await signIn(own, TEST_ADMIN)).access_token);
      for (let at = 0; at < 30; at += 1) {
        const query = FULL.replace('IntrospectionQuery', `Q${at}`);
        expect((await admin.post(PATH, { query })).status).toBe(200);
      }
      const { text } = await admin.get('/metrics');
      const bytes = Number(
        /doorward_cache_bytes\{cache="graphql_introspections"\} (\d+)/.exec(text)?.[1],
      );
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThanOrEqual(8_000_000);
    } finally {
      await own.close();
    }
  });
});
