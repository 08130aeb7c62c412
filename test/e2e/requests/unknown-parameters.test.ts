import { as, type Reply, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../../support';
import { SampleModule } from '../../sample-extension/sample.module';

const IGNORED = 'colour=red&_=17&filters[0][field]=x&__lang=en';

async function open(env: Record<string, string>): Promise<TestApp> {
  return startTestApp({ imports: [SampleModule], env });
}

describe.each([
  ['by default', {}, 400],
  ['with QUERY_UNKNOWN=ignore', { QUERY_UNKNOWN: 'ignore' }, 200],
])('unknown parameters, %s', (_, env, status) => {
  let test: TestApp;
  let send: (method: string, path: string, body?: unknown) => Promise<Reply>;

  beforeAll(async () => {
    test = await open(env);
    const { access_token } = await signIn(test, TEST_ADMIN);
    const client = as(test, access_token);
    send = (method, path, body) => client.send(method, path, body);
    const made = await send('POST', '/items/articles', { title: 'Hills' });
    expect(made.status).toBe(200);
  });

  afterAll(() => test.close());

  const expectOutcome = (reply: Reply, expected: number): void => {
    expect([reply.status, ...reply.codes]).toEqual(
      expected === 200 ? [200] : [expected, 'INVALID_QUERY'],
    );
  };

  it.each([
    '/items/articles',
    '/items/articles/1',
    '/items/site',
    '/users',
    '/users/me',
    '/roles/me',
    '/settings',
    '/permissions',
    '/activity',
    '/items/articles?aggregate[count]=*',
  ])('in the address of a read: %s', async (path) => {
    expectOutcome(await send('GET', `${path}${path.includes('?') ? '&' : '?'}${IGNORED}`), status);
  });

  it.each<[string, string, string, unknown]>([
    ['of a create', 'POST', '/items/articles?colour=red', { title: 'Seas' }],
    ['of an update', 'PATCH', '/items/articles/1?colour=red', { title: 'Seas' }],
    ['of many updates', 'PATCH', '/items/articles?colour=red', { keys: [1], data: { title: 'S' } }],
    ['of the own profile', 'PATCH', '/users/me?colour=red', { first_name: 'A' }],
    ['of the settings', 'PATCH', '/settings?colour=red', { project_name: 'A' }],
    ['in the body of a search', 'SEARCH', '/items/articles', { query: { colour: 'red' } }],
    ['in deep', 'GET', '/items/articles?fields=notes.*&deep[notes][_colour]=red', undefined],
    ['access_token', 'GET', '/items/articles?access_token=abc', undefined],
    ['token', 'GET', '/items/articles?token=abc', undefined],
    ['with a wrong known one', 'GET', '/items/articles?limit=ten&colour=red', undefined],
    ['in a filter', 'GET', '/items/articles?filter[id][_colour]=red', undefined],
    ['a filter for an item', 'GET', '/items/articles/1?filter[id][_eq]=2', undefined],
    ['a filter for a singleton', 'GET', '/items/site?filter[id][_eq]=77', undefined],
    ['an offset for a singleton', 'GET', '/settings?offset=1', undefined],
    ['a limit for a singleton', 'GET', '/settings?limit=abc', undefined],
    ['an aggregate for a singleton', 'GET', '/items/site?aggregate[count]=*', undefined],
    ['a limit for a create of one item', 'POST', '/items/articles?limit=0', { title: 'Seas' }],
    [
      'a filter for a create of one item',
      'POST',
      '/items/articles?filter={"id":{"_eq":2}}',
      { title: 'Seas' },
    ],
    ['a page for a create of a user', 'POST', '/users?page=2', { first_name: 'A' }],
    ['a limit for an update of one item', 'PATCH', '/items/articles/1?limit=0', { qty: 1 }],
    [
      'a filter for an update of one item',
      'PATCH',
      '/items/articles/1?filter[id][_eq]=2',
      { qty: 1 },
    ],
    [
      'a search for an update of the own profile',
      'PATCH',
      '/users/me?search=x',
      { first_name: 'A' },
    ],
    ['a page for an update of the settings', 'PATCH', '/settings?page=2', { project_name: 'A' }],
    ['a sort for an update of a singleton', 'PATCH', '/items/site?sort=name', { name: 'A' }],
  ])('%s: refused, and nothing changes', async (_where, method, path, body) => {
    expectOutcome(await send(method, path, body), 400);
    const stored = await send('GET', '/items/articles?fields=title');
    expect(stored.data).toEqual([{ title: 'Hills' }]);
  });

  it.each<[string, string, unknown?]>([
    ['SEARCH', '/items/articles?limit=1', {}],
    ['SEARCH', '/items/articles?colour=red', {}],
    ['GET', '/permissions/me?colour=red'],
    ['GET', '/permissions/me/articles/1?colour=red'],
    ['GET', '/policies/me/globals?fields=admin_access'],
    ['GET', '/collections?filter={}'],
    ['GET', '/fields/articles/title?colour=red'],
    ['GET', '/relations?colour=red'],
    ['GET', '/users/me/sessions?limit=1'],
    ['GET', '/users/me/tokens?colour=red'],
    ['GET', '/server/info?colour=red'],
    ['GET', '/auth?colour=red'],
    ['GET', '/graphql?query={__typename}&colour=red'],
  ])('in the address of another read: %s %s', async (...sent) => {
    expectOutcome(await send(...sent), status);
  });

  it.each<[string, string, unknown?]>([
    ['DELETE', '/items/articles?colour=red', [1]],
    ['DELETE', '/items/articles?filter[id][_eq]=1', [1]],
    ['DELETE', '/items/articles/1?colour=red'],
    ['POST', '/auth/login?colour=red', TEST_ADMIN],
    ['POST', '/users/me/tfa/generate?colour=red', { password: TEST_ADMIN.password }],
    ['POST', '/users/invite?access_token=abc', { email: 'x@example.com', role: 'x' }],
    ['POST', '/auth/login?access_token=abc', TEST_ADMIN],
    ['POST', '/graphql?access_token=abc', { query: '{ __typename }' }],
    ['POST', '/graphql/system?query={__typename}', { query: '{ __typename }' }],
    ['GET', '/graphql?query={__typename}&access_token=abc'],
    ['GET', '/permissions/me?access_token=abc'],
    ['GET', '/collections?token=abc'],
    ['GET', '/users/me/sessions?access_token=abc'],
    ['GET', '/server/info?access_token=abc'],
    ['GET', '/auth?access_token=abc'],
    ['SEARCH', '/items/articles?access_token=abc', {}],
    // Dropping what is behind the brackets would turn this into `_eq`.
    ['GET', '/items/articles?filter[title]_neq=Hills'],
    ['GET', '/items/articles?filter%5Btitle%5D%5B_eq%5Dx=Hills'],
    ['GET', '/items/articles?filter[title]x[_eq]=Hills'],
    ['GET', '/items/articles?filter[title=Hills'],
    ['GET', '/items/articles?filter]=Hills'],
    ['GET', '/items/articles?[filter][title]=Hills'],
    ['GET', '/items/articles?limit=1&=Hills'],
    ['DELETE', '/items/articles?=query', [1]],
  ])('are always refused in %s %s', async (...sent) => {
    const reply = await send(...sent);
    expectOutcome(reply, 400);
    expect(reply.text).toMatch(/colour|filter|query|token/);
    expect((await send('GET', '/items/articles?fields=title')).data).toEqual([{ title: 'Hills' }]);
  });

  it.each(['?', '?&', '?limit=1&', '?&limit=1&&', '?fields%5B%5D=title', '?fields[0]=title'])(
    'there are none in %s',
    async (query) => {
      const { status: answered, data } = await send('GET', `/items/articles${query}`);
      expect([answered, data]).toMatchObject([200, [{ title: 'Hills' }]]);
    },
  );

  it('that programs add to links are ignored', async () => {
    const register = { email: 'new@example.com', password: 'three-green-kettles' };
    expect((await send('POST', '/register?utm_source=x', register)).status).toBe(204);
    const link = '/users/register/verify-email?token=none&utm_source=x';
    expect((await send('HEAD', link)).status).toBe(204);
    expect((await send('GET', link)).codes).toEqual(['INVALID_TOKEN']);
  });

  it('in the query that selects the items of a write: refused', async () => {
    const selected = { query: { filter: {}, colour: 'red' } };
    expectOutcome(await send('DELETE', '/items/articles', selected), 400);
    expectOutcome(
      await send('PATCH', '/items/articles', { ...selected, data: { title: 'Seas' } }),
      400,
    );
    expect((await send('GET', '/items/articles?fields=title')).data).toEqual([{ title: 'Hills' }]);
  });

  it('do not distinguish a hidden collection from a missing one', async () => {
    const nobody = as(test);
    const [hidden, missing] = await Promise.all([
      nobody.get('/items/articles?colour=red'),
      nobody.get('/items/nothings?colour=red'),
    ]);
    expect([hidden.status, hidden.text]).toEqual([403, missing.text]);
    const others = await Promise.all([
      nobody.send('SEARCH', '/items/articles?colour=red', {}),
      nobody.send('SEARCH', '/items/nothings?colour=red', {}),
    ]);
    expect(others.map((reply) => [reply.status, reply.text])).toEqual(
      Array(2).fill([403, missing.text]),
    );
  });

  it('of a page are not checked', async () => {
    expect((await send('GET', '/docs?colour=red')).codes).not.toContain('INVALID_QUERY');
  });
});
