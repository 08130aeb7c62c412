import { AppError, FailedValidation, InternalServerError } from '../../src/common/errors';
import {
  as,
  longestBlock,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp();
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const LONG = 'n'.repeat(100_000);
/** 58,000 unknown names: 474 kB. */
const MANY: object = Object.fromEntries(
  Array.from({ length: 58_000 }, (_, index) => [index.toString(36), 1]),
);

/** CPU time, in ms. */
const SILENCE = 500;

const faultsOf = ({ body }: Reply): unknown[] => (body as { errors: unknown[] }).errors;

describe('60: a request with many faults', () => {
  it.each([
    ['/auth/login', { email: 'a@example.com', password: 'x' }],
    ['/auth/refresh', {}],
    ['/auth/logout', {}],
  ])('%s names ten of them', async (path, more) => {
    const reply = await as(test).post(path, { ...MANY, ...more });
    expect([reply.status, reply.codes[0]]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(faultsOf(reply)).toHaveLength(10);
    expect(reply.text.length).toBeLessThan(3_000);
  });

  it('over GraphQL gets the first of each operation, and further ones up to ten', async () => {
    const faulty = { name: 'n'.repeat(256), icon: 'i'.repeat(65), description: '\u0000' };
    const operation = 'create_roles_item(data: $d) { id }';
    const repeated = (times: number): string =>
      Array.from({ length: times }, (_, at) => `o${at}: ${operation}`).join(' ');
    const send = async (times: number): Promise<number> => {
      const query = `mutation ($d: create_roles_input!) { ${repeated(times)} }`;
      const reply = await as(test, token).post('/graphql/system', {
        query,
        variables: { d: faulty },
      });
      return faultsOf(reply).length;
    };
    expect(await Promise.all([1, 5, 12].map(send))).toEqual([3, 10, 12]);
  });

  it('does not delay other requests', async () => {
    const body = JSON.stringify({ ...MANY, email: 'a@example.com', password: 'x' });
    const send = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch(`${test.url}/auth/login`, { method: 'POST', headers, body });
      await sent.arrayBuffer();
    };
    const many = (): Promise<unknown> => Promise.all([send(), send(), send(), send(), send()]);
    expect(await longestBlock(many, SILENCE)).toBeLessThanOrEqual(SILENCE);
  });

  it('gets each fault once if they are few', async () => {
    const reply = await as(test).post('/auth/login', { a: 1, b: 2, email: 7 });
    const fields = faultsOf(reply).map(
      (fault) => (fault as { extensions: { field: string } }).extensions.field,
    );
    expect(fields.toSorted()).toEqual(['a', 'b', 'email', 'password']);
  });
});

describe('60: a very long name', () => {
  it.each<[string, string, object | undefined]>([
    ['POST', '/auth/login', { [LONG]: 1, email: 'a@example.com', password: 'x' }],
    ['POST', '/users', { [LONG]: 1 }],
    ['PATCH', '/users', { keys: [], data: {}, [LONG]: 1 }],
    ['DELETE', '/users', { keys: [], [LONG]: 1 }],
    ['SEARCH', '/users', { query: { [LONG]: 1 } }],
    ['SEARCH', '/users', { query: { fields: [LONG] } }],
    ['SEARCH', '/users', { query: { fields: [`${LONG}..a`] } }],
    ['SEARCH', '/users', { query: { sort: LONG } }],
    ['SEARCH', '/users', { query: { alias: { [LONG]: 'id' } } }],
    ['SEARCH', '/users', { query: { deep: { [LONG]: {} } } }],
    ['SEARCH', '/users', { query: { filter: { [LONG]: { _eq: 1 } } } }],
    ['SEARCH', '/users', { query: { filter: { id: { [LONG]: 1 } } } }],
    ['SEARCH', '/users', { query: { filter: { id: { _eq: `$${LONG}` } } } }],
    ['POST', '/permissions', { collection: LONG, action: 'read', policy: null }],
    ['GET', `/users/a/b/${LONG.slice(0, 10_000)}`, undefined],
    ['GET', `/users?${LONG.slice(0, 10_000)}=1`, undefined],
    ['POST', '/graphql', { query: '{ _empty }', [LONG]: 1 }],
    ['POST', '/graphql/system', { query: `{ users { ${LONG} } }` }],
    ['POST', '/graphql/system', { query: LONG }],
    [
      'POST',
      '/graphql/system',
      {
        query: 'mutation ($d: create_roles_input!) { create_roles_item(data: $d) { id } }',
        variables: { d: { name: 'x', [LONG]: 1 } },
      },
    ],
  ])('is not repeated: %s %.20s', async (method, path, body) => {
    const reply = await as(test, token).send(method, path, body);
    expect(reply.text.length).toBeLessThan(2_000);
    if (reply.status !== 200) expect(reply.text).toContain('"errors"');
  });
});

describe('60: a name that is shortened', () => {
  const odd = `${'n'.repeat(249)}😀${'n'.repeat(100)}`;

  it.each<[string, string, object | undefined]>([
    ['GET', `/users?fields=${odd}`, undefined],
    ['POST', '/users', { [odd]: 1 }],
  ])('ends with a whole character: %s %.20s', async (method, path, body) => {
    const reply = await as(test, token).send(method, path, body);
    expect(reply.text).toContain('n…');
    expect(reply.text).not.toMatch(/\\ud[89a-f]/i);
  });
});

describe('60: a fault of the caller', () => {
  it('has no stack; a fault that is logged has one', () => {
    const told = new FailedValidation({ field: 'title' });
    const framesOf = (error: Error): number => (error.stack ?? '').split('\n    at ').length - 1;
    expect(framesOf(told)).toBe(0);
    expect(framesOf(new InternalServerError({}))).toBeGreaterThan(0);
    expect(framesOf(new Error('other'))).toBeGreaterThan(0);
    expect(told).toBeInstanceOf(AppError);
  });
});
