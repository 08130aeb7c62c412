import { as, type Reply, restStatus, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const LIMIT = 30;

let test: TestApp;
let addresses = 0;

beforeAll(async () => {
  test = await startTestApp({ env: { TRUST_PROXY: '1', RATE_LIMIT_REQUESTS: String(LIMIT) } });
});

afterAll(() => test.close());

/** Requests from one address that nobody has used yet. */
function client() {
  const from = `198.51.100.${(addresses += 1)}`;
  const send = (path: string, body?: unknown, method = 'POST'): Promise<Reply> =>
    as(test).send(method, path, body, { 'x-forwarded-for': from });
  return { from, send };
}

const REFRESH = 'mutation { auth_refresh(refresh_token: "x") { expires } }';
const REQUESTS: readonly [string, string, unknown][] = [
  ['sign-ins', '/auth/login', TEST_ADMIN],
  ['refreshes', '/auth/refresh', { refresh_token: 'x' }],
  ['sign-outs', '/auth/logout', { refresh_token: 'x' }],
  ['malformed sign-ins', '/auth/login', { email: 5 }],
  ['empty refreshes', '/auth/refresh', {}],
  ['refreshes by GraphQL', '/graphql/system', { query: REFRESH }],
];

it.each(REQUESTS)(
  '%s count for the network, and are refused beyond its share',
  async (_, path, body) => {
    const { send } = client();
    for (let time = 0; time < LIMIT; time += 1)
      expect((await send(path, body)).codes).not.toContain('REQUESTS_EXCEEDED');
    const reply = await send(path, body);
    const status = path.startsWith('/graphql') ? restStatus(reply) : reply.status;
    expect([status, reply.codes]).toEqual([429, ['REQUESTS_EXCEEDED']]);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await send('/server/ping', undefined, 'GET')).text).toBe('pong');
    expect((await client().send('/auth/login', TEST_ADMIN)).status).toBe(200);
  },
);

it('requests sent at once are limited like those sent one after the other', async () => {
  const { send } = client();
  const replies = await Promise.all(
    Array.from({ length: 3 * LIMIT }, () => send('/auth/refresh', { refresh_token: 'x' })),
  );
  expect(replies.filter(({ status }) => status !== 429)).toHaveLength(LIMIT);
});

it('a different unknown account each time does not bypass the limit', async () => {
  const { send } = client();
  const statuses: number[] = [];
  for (let at = 0; at <= LIMIT; at += 1) {
    const body = { email: `user${at}@example.com`, password: 'Spring2026!' };
    statuses.push((await send('/auth/login', body)).status);
  }
  expect(statuses).toEqual([...(Array(LIMIT).fill(401) as number[]), 429]);
});

it.each<[string, number]>([
  // The same route, and counted there.
  ['/auth/login/', 429],
  ['/AUTH/login', 429],
  // No route at all.
  ['//auth/login', 404],
  ['/auth//login', 404],
  ['/auth/%6cogin', 404],
])('the path written as %s does not bypass the limit', async (path, status) => {
  const { send } = client();
  for (let time = 0; time < LIMIT; time += 1) await send('/auth/login', {});
  expect((await send(path, TEST_ADMIN)).status).toBe(status);
});

it('with an unknown parameter no password is checked', async () => {
  const { send } = client();
  const wrong = { ...TEST_ADMIN, password: 'Spring2026!' };
  const replies = [await send('/auth/login?x=1', TEST_ADMIN), await send('/auth/login?x=1', wrong)];
  expect(replies.map(({ codes }) => codes)).toEqual([['INVALID_QUERY'], ['INVALID_QUERY']]);
  expect(replies.map(({ text }) => text)).toEqual([replies[0]?.text, replies[0]?.text]);
});

it('one request with many operations counts each', async () => {
  const { send } = client();
  const many = Array.from(
    { length: 20 },
    (_, at) => `a${at}: auth_refresh(refresh_token: "x") { expires }`,
  );
  const query = `mutation { ${many.join(' ')} }`;
  await send('/graphql/system', { query });
  const { codes } = await send('/graphql/system', { query });
  expect(codes.filter((code) => code === 'REQUESTS_EXCEEDED')).toHaveLength(10);
});
