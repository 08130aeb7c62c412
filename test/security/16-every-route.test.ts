import { GraphqlSchemas } from '../../src/graphql';
import { seed, type World } from '../factories';
import { callOf, HOST, operationsOf, type Reply, routesOf, startTestApp } from '../support';

/** The same bytes for everybody: files whose names contain their hash, or that are part of the package. */
const FILES = ['GET /admin/assets/:file', 'GET /docs/:file', 'GET /playground/:file'];
const PUBLIC_URL = 'https://api.example.org';

let world: World;

beforeAll(async () => {
  world = await seed(
    await startTestApp({ env: { PUBLIC_URL, METRICS_TOKEN: 'a-token-for-metrics' } }),
  );
});

afterAll(() => world.app.close());

/**
 * The security headers that are missing or wrong: every answer but a page must have them, whoever asks for whatever.
 */
function faultsOf({ headers }: Reply): string[] {
  const expected: Record<string, string> = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
  };
  const wrong = Object.entries(expected).filter(([name, value]) => headers.get(name) !== value);
  const marks = ['etag', 'last-modified', 'expires', 'age', 'x-powered-by', 'server'];
  const policy = headers.get('content-security-policy') ?? '';
  return [
    ...wrong.map(([name]) => `${name}: ${headers.get(name)}`),
    ...marks.filter((name) => headers.has(name)),
    ...["default-src 'none'", "frame-ancestors 'none'"].filter((part) => !policy.includes(part)),
  ];
}

const send = (caller: string | null, route: string): Promise<Reply> => {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern
    .replace(':collection', 'service_users')
    .replace(':id', String(world.id('admin')))
    .replace(/[:*](\w+)/g, 'nothing');
  const body = ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : {};
  return world.as(caller).send(method, path, body);
};

describe('16: no cache may keep', () => {
  it.each([null, 'admin'])('what any route answers to %s', async (caller) => {
    const routes = routesOf(world.app).filter(
      (route) => !FILES.includes(route) && !/^(DELETE|POST) .*(logout|users\/me)/.test(route),
    );
    expect(routes.length).toBeGreaterThan(60);
    const faults: unknown[] = [];
    const statuses = new Set<number>();
    for (const route of routes) {
      const reply = await send(caller, route);
      statuses.add(reply.status);
      if (faultsOf(reply).length > 0) faults.push([route, reply.status, ...faultsOf(reply)]);
    }
    expect(faults).toEqual([]);
    expect([...statuses]).toEqual(
      expect.arrayContaining(caller === null ? [200, 401, 403] : [200, 400]),
    );
  });

  it.each([null, 'admin'])('what any operation of GraphQL answers to %s', async (caller) => {
    const schema = world.app.app.get(GraphqlSchemas, { strict: false }).build('system');
    for (const { kind, name } of operationsOf(schema)) {
      if (/_(me|logout)$|users_me/.test(name)) continue;
      const query = `${kind} { ${callOf(schema, kind, name)} }`;
      const reply = await world.as(caller).post('/graphql/system', { query });
      expect([name, ...faultsOf(reply)]).toEqual([name]);
    }
  });

  it('a sign-in and the requests after it, in any mode', async () => {
    for (const mode of ['json', 'cookie', 'session']) {
      const body = { email: 'admin@example.com', password: 'correct-horse-battery', mode };
      const reply = await world.as(null).post('/auth/login', body);
      expect([reply.status, ...faultsOf(reply)]).toEqual([200]);
    }
  });

  it.each([
    ['GET', '/nowhere', 404],
    ['PUT', '/users', 405],
    ['GET', '/users/%ff', 400],
    ['OPTIONS', '/users', 405],
  ])('a refusal: %s %s', async (method, path, status) => {
    // A path that is not ours is answered by the team's own application.
    if (HOST === 'stock' && path === '/nowhere') return;
    const reply = await world.as(null).send(method, path);
    expect([reply.status, ...faultsOf(reply)]).toEqual([status]);
  });
});

it('16: the service demands HTTPS only where its public URL is HTTPS', async () => {
  const plain = await seed(await startTestApp());
  const { headers } = await plain.as(null).get('/server/ping');
  expect(headers.get('strict-transport-security')).toBeNull();
  await plain.app.close();
});
