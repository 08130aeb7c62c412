import { EventEmitter, once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { Public, TypeDefs } from 'doorward';
import { Accounts } from '../../src/auth/accounts';
import { as, type Reply, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const AT_ONCE = 3;

const met = new EventEmitter();
const count = { begun: 0, running: 0, most: 0 };

/** Its first operations of a request end only after so many have begun. */
@Resolver()
@TypeDefs({ endpoint: 'system', sdl: 'extend type Query { meet: Int }' })
class Meeting {
  @Query('meet')
  @Public()
  async meet(): Promise<number> {
    count.begun += 1;
    count.running += 1;
    count.most = Math.max(count.most, count.running);
    if (count.begun < AT_ONCE) await once(met, 'met');
    if (count.begun === AT_ONCE) met.emit('met');
    await nextTurn();
    count.running -= 1;
    return count.begun;
  }
}

@Module({ providers: [Meeting] })
class MeetingModule {}

let test: TestApp;
let verify: jest.SpyInstance;

beforeAll(async () => {
  test = await startTestApp({ imports: [MeetingModule] });
  await test.database.query('UPDATE service_settings SET auth_login_attempts = NULL');
  verify = jest.spyOn(test.app.get(Accounts), 'verifyCredentials');
});

beforeEach(() => verify.mockClear());

afterAll(() => test.close());

const post = (body: unknown): Promise<Reply> => as(test).post('/graphql/system', body);
const ask = (query: string, more: object = {}): Promise<Reply> => post({ query, ...more });

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const attempt = (index: number): string =>
  `a${index}: auth_login(email: "${TEST_ADMIN.email}", password: "guess${index}") { expires }`;

/** Expects that the whole request was refused and nothing was done. */
async function refused(asked: Promise<Reply>, code = 'INVALID_QUERY'): Promise<void> {
  const { status, codes, body, text } = await asked;
  expect([status, new Set(codes)]).toEqual([400, new Set([code])]);
  expect((body as { data?: unknown }).data ?? null).toBeNull();
  // The error is short, even for a long query.
  expect(text.length).toBeLessThan(50_000);
  expect(verify).not.toHaveBeenCalled();
}

describe('61: many sign-ins in one request', () => {
  it.each([1_000, 100, 21])('%i under different names are refused', async (count) => {
    await refused(ask(`mutation { ${repeat(count, attempt)} }`));
  });

  it('are refused behind fragments too', async () => {
    await refused(
      ask(`mutation { ...A ...B }
        fragment A on Mutation { ${repeat(11, attempt)} }
        fragment B on Mutation { ... on Mutation { ${repeat(11, (index) => attempt(index + 11))} } }`),
    );
  });

  it('are refused as a list of requests', async () => {
    const each = { query: `mutation { ${attempt(0)} }` };
    await refused(post(Array(1_000).fill(each)), 'INVALID_PAYLOAD');
    await refused(post([each]), 'INVALID_PAYLOAD');
  });

  it('count as one if only one operation is named', async () => {
    const query = repeat(20, (index) => `mutation m${index} { ${attempt(index)} }`);
    await refused(ask(query));
    expect((await ask(query, { operationName: 'm3' })).codes).toEqual(['INVALID_CREDENTIALS']);
    expect(verify.mock.calls[0]?.[0]).toMatchObject({
      email: TEST_ADMIN.email,
      password: 'guess3',
    });
    expect(verify).toHaveBeenCalledTimes(1);
  });

  it('each count as an attempt, if they are few', async () => {
    const { status, codes } = await ask(`mutation { ${repeat(20, attempt)} }`);
    expect([status, codes]).toEqual([200, Array(20).fill('INVALID_CREDENTIALS')]);
    expect(verify).toHaveBeenCalledTimes(20);
  });

  it('count as one attempt if they are the same, and as none if they only share a name', async () => {
    const login = `auth_login(email: "${TEST_ADMIN.email}", password: "guess")`;
    await ask(`mutation { ${repeat(10, () => `${login} { expires }`)} }`);
    expect(verify).toHaveBeenCalledTimes(1);
    verify.mockClear();
    await refused(
      ask(`mutation { ${repeat(10, (index) => attempt(index).replace(/^a\d+/, 'a'))} }`),
    );
  });
});

/** Fragments that each spread the next one twice: a short document that expands endlessly. */
const doubling = (count: number, type: string, last: string): string =>
  repeat(count, (index) => {
    const next = index === count - 1 ? last : `...F${index + 1} ...F${index + 1}`;
    return `fragment F${index} on ${type} { ${next} }`;
  });

describe('61: a query that would exhaust the service', () => {
  it.each<[string, string]>([
    ['the same field 2,900 times', `{ users_me { ${'id '.repeat(2_900)} } }`],
    ['the same operation 700 times', `{ ${'users_me { id } '.repeat(700)} }`],
    ['1,000 aliases of one field', `{ users_me { ${repeat(1_001, (i) => `a${i}: id`)} } }`],
    [
      'relations 400 deep',
      `{ users_me ${'{ role { users '.repeat(200)}{ id }${' } }'.repeat(200)} }`,
    ],
    ['relations 10,000 deep', `{ users_me ${'{ role { users '.repeat(5_000)}`],
    [
      'depth behind inline fragments',
      `{ users_me ${'{ role { ... { users '.repeat(20)}{ id }${' } } }'.repeat(20)} }`,
    ],
    ['2,900 nested inline fragments', `{ ${'... { '.repeat(1_450)}`],
    ['a fragment in itself', '{ users_me { ...A } } fragment A on users { id ...A }'],
    [
      'a circle of fragments',
      '{ users_me { ...A } } fragment A on users { role { ...B } } fragment B on roles { users { ...A } }',
    ],
    [
      'a circle at the root',
      'mutation { ...A } fragment A on Mutation { ...B } fragment B on Mutation { ...A }',
    ],
    ['doubling fields, 2^200', `{ users_me { ...F0 } } ${doubling(200, 'users', 'id')}`],
    [
      'doubling operations, 2^200',
      `mutation { ...F0 } ${doubling(200, 'Mutation', 'auth_logout')}`,
    ],
    ['doubling depth', `{ users_me { ...F0 } } ${doubling(100, 'users', 'role { users { id } }')}`],
    ['1,400 directives', `{ users_me { id ${'@include(if: true) '.repeat(400)} } }`],
    ['1,400 unknown directives', `{ users_me { id ${'@a '.repeat(1_400)} } }`],
    ['400 unknown fields', `{ users_me { ${repeat(400, (i) => `emaill${i}`)} } }`],
    ['lists 2,900 deep', `{ users(filter: {_and: ${'['.repeat(2_900)}`],
    [
      'a filter 900 deep',
      `{ users(filter: ${'{_and: ['.repeat(500)}{}${']}'.repeat(500)}) { id } }`,
    ],
    ['450,000 characters', `{ users_me { id } } ${'#'.repeat(450_000)}`.replace('id', '"')],
    ['200,000 words', `{ ${'a '.repeat(200_000)} }`],
    ['300 variables', `query (${repeat(300, (i) => `$v${i}: Int!`)}) { users_me { id } }`],
  ])('by %s is refused', async (_, query) => {
    await refused(ask(query));
  });

  it('by variables 10,000 deep is refused', async () => {
    const deep = `${'{"_and":['.repeat(10_000)}${']}'.repeat(10_000)}`;
    const query = 'query ($filter: users_filter) { users(filter: $filter) { id } }';
    const response = await fetch(`${test.url}/graphql/system`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"query":${JSON.stringify(query)},"variables":{"filter":${deep}}}`,
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('INVALID_PAYLOAD');
  });

  it.each(['', '@include(if: true)'])(
    'by many slow operations executes three at a time %s',
    async (directive) => {
      Object.assign(count, { begun: 0, running: 0, most: 0 });
      const { codes, data } = await ask(`{ ${repeat(20, (i) => `a${i}: meet ${directive}`)} }`);
      expect([codes, Object.keys(data)]).toEqual([[], Array.from(Array(20), (_, i) => `a${i}`)]);
      expect(count).toEqual({ begun: 20, running: 0, most: AT_ONCE });
    },
  );

  it('fifty times at once leaves the service working', async () => {
    const query = `{ ${repeat(20, (i) => `a${i}: users_me { ${'id '.repeat(20)} }`)} }`;
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(query)));
    const codes = new Set(replies.flatMap((reply) => [reply.status, ...reply.codes]));
    expect(codes).toEqual(new Set([200, 'INVALID_CREDENTIALS']));
    expect((await as(test).get('/server/ping')).text).toBe('pong');
  });
});
