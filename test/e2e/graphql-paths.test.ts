import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp();
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const BODY = { query: '{ __typename }' };

it.each(['/graphql', '/graphql/', '/graphql/system', '/graphql/system/', '/GraphQL/System'])(
  '%s is an endpoint',
  async (path) => {
    const reply = await as(test, token).post(path, BODY);
    expect([reply.status, reply.data['__typename']]).toEqual([200, 'Query']);
  },
);

it.each([
  ...['/graphql/x', '/graphql/system/x', '/graphql//', '/graphql//system', '/graphql/system//'],
  ...['/graphql/x/y/z', '/graphql/%2fsystem', '/graphql/systemx', '/graphql/sys%74em'],
])('%s is not an endpoint, with any method', async (path) => {
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
    const body = method === 'GET' ? undefined : BODY;
    const reply = await as(test, token).send(method, path, body, { accept: 'text/html' });
    expect([method, reply.status, reply.codes]).toEqual([method, 404, ['ROUTE_NOT_FOUND']]);
  }
});

it.each(['/graphql', '/graphql/system'])(
  'the editor at %s cannot be framed by another page',
  async (path) => {
    const page = await as(test).send('GET', path, undefined, { accept: 'text/html' });
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toContain("frame-ancestors 'none'");
    expect(policy.split('; ')).toContain("default-src 'none'");
  },
);
