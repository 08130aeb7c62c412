import { Controller, Get, Module } from '@nestjs/common';
import { GraphqlSchemas } from '../../src/graphql';
import { seed, type World } from '../factories';
import { callOf, HOST, operationsOf, routesOf, startTestApp, type TestApp } from '../support';

/** The reviewed list: every other route is refused to a caller who is not signed in and has no public rule. */
const PUBLIC_ROUTES = [
  // A page of links, in an application of our own; for all but browsers the same as /server/info.
  ...(HOST === 'own' ? ['GET /'] : []),
  // The pages of the console, the same document for everybody, and their files from a fixed list.
  'GET /admin',
  'GET /admin/*path',
  'GET /admin/assets/:file',
  'GET /auth',
  'GET /auth/login/:provider',
  'GET /auth/login/:provider/callback',
  // The page of the OpenAPI document, and its files from a fixed list.
  'GET /docs',
  'GET /docs/:file',
  // Files of the GraphQL editor, from a fixed list.
  'GET /playground/:file',
  // The state of the service; only administrators see the reasons.
  'GET /server/health',
  // The project's name and language; for users who are signed in also limits, for administrators the version.
  'GET /server/info',
  'GET /server/ping',
  // The schemas of GraphQL, where introspection is on; the OpenAPI document, without any collection.
  'GET /server/specs/graphql',
  'GET /server/specs/graphql/items',
  'GET /server/specs/graphql/system',
  'GET /server/specs/oas',
  // The link in a mail; HEAD for programs that check links.
  'GET /users/register/verify-email',
  'HEAD /users/register/verify-email',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/password/request',
  'POST /auth/password/reset',
  'POST /auth/refresh',
  'POST /register',
  'POST /users/invite/accept',
  'POST /users/register',
  'POST /users/register/resend',
];
const PUBLIC_OPERATIONS = [
  ...['auth_login', 'auth_logout', 'auth_refresh'],
  ...['auth_password_request', 'auth_password_reset'],
  ...['users_register', 'users_register_resend', 'users_register_verify', 'users_invite_accept'],
];
/** Routes for the caller's own account: a caller who is not signed in is asked to sign in. */
const OWN_ROUTES = [
  ...['DELETE /users/me', 'DELETE /users/me/sessions', 'DELETE /users/me/sessions/:id'],
  ...['DELETE /users/me/tokens/:id', 'GET /policies/me/globals', 'GET /roles/me'],
  ...['GET /users/me', 'GET /users/me/sessions', 'GET /users/me/tokens', 'PATCH /users/me'],
  ...['POST /users/me/tfa/disable', 'POST /users/me/tfa/enable', 'POST /users/me/tfa/generate'],
  'POST /users/me/tokens',
];
const OWN_OPERATIONS = [
  ...['delete_users_me', 'policies_me_globals', 'roles_me', 'update_users_me', 'users_me'],
  ...['users_me_sessions', 'delete_users_me_session', 'delete_users_me_sessions'],
  ...['users_me_tokens', 'create_users_me_token', 'delete_users_me_token'],
  ...['users_me_tfa_generate', 'users_me_tfa_enable', 'users_me_tfa_disable'],
];
/** One path with many operations: each is tested below. */
const GRAPHQL = ['/graphql/system'];

@Controller('undeclared')
class UndeclaredController {
  @Get()
  open(): string {
    return 'opened';
  }
}

@Module({ controllers: [UndeclaredController] })
class UndeclaredModule {}

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await seed(app);
});

afterAll(() => app.close());

const ADMINISTRATOR = (): string => String(world.id('admin'));
const pathOf = (route: string): string =>
  (route.split(' ')[1] ?? '')
    .replace(':collection', 'service_users')
    .replace(':id', ADMINISTRATOR());
const methodOf = (route: string): string => route.split(' ')[0] ?? '';
const sendsBody = (method: string): boolean => !['GET', 'HEAD'].includes(method);

const request = (method: string, path: string, headers?: Record<string, string>) =>
  world.as(null).send(method, path, sendsBody(method) ? {} : undefined, headers);

describe('15: a caller who is not signed in', () => {
  it('is refused by every route but those of the reviewed list', async () => {
    const all = routesOf(app);
    expect(all.length).toBeGreaterThan(40);
    const open: string[] = [];
    const own: string[] = [];
    for (const route of all) {
      const reply = await request(methodOf(route), pathOf(route));
      if (reply.status === 401 && !PUBLIC_ROUTES.includes(route)) {
        expect(reply.codes).toEqual(['INVALID_CREDENTIALS']);
        own.push(route);
      } else if (reply.status !== 403) open.push(route);
      else expect(reply.codes).toEqual(['FORBIDDEN']);
    }
    expect(open.toSorted()).toEqual(PUBLIC_ROUTES);
    expect(own.toSorted()).toEqual(OWN_ROUTES);
  });

  it('is refused by every GraphQL operation but those of the reviewed list', async () => {
    const open: string[] = [];
    const schema = app.app.get(GraphqlSchemas, { strict: false }).build('system');
    const operations = operationsOf(schema);
    expect(operations.length).toBeGreaterThan(30);
    for (const { kind, name } of operations) {
      const query = `${kind} { ${callOf(schema, kind, name)} }`;
      const reply = await world.as(null).post(GRAPHQL[0] ?? '', { query });
      const code = OWN_OPERATIONS.includes(name) ? 'INVALID_CREDENTIALS' : 'FORBIDDEN';
      const refused = reply.codes.length === 1 && reply.codes[0] === code;
      if (!refused) open.push(name);
      else expect(Object.values(reply.data ?? {}).every((value) => value === null)).toBe(true);
    }
    expect(open.filter((name) => !PUBLIC_OPERATIONS.includes(name))).toEqual([]);
  });

  it('is refused by a route that declares no access, as is everyone', async () => {
    // In a standalone application it would prevent the start.
    const guest = await startTestApp({ imports: [UndeclaredModule], host: 'stock' });
    const guests = await seed(guest);
    for (const caller of [null, 'admin']) {
      const reply = await guests.as(caller).get('/undeclared');
      expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
    }
    await guest.close();
  });

  it('gains nothing by claiming an identity', async () => {
    const id = ADMINISTRATOR();
    const claims: Record<string, string>[] = [
      { 'x-user': id },
      { 'x-user-id': id },
      { 'x-forwarded-user': id },
      { cookie: `user=${id}` },
      { host: 'localhost' },
      { 'x-forwarded-for': '127.0.0.1' },
    ];
    for (const headers of claims) {
      expect((await request('GET', '/users', headers)).status).toBe(403);
    }
    expect((await request('GET', `/permissions?access_token=${id}`)).status).toBe(403);
  });
});

const isOpen = (status: number): boolean => status < 400;

describe('63: a protected route', () => {
  const protectedRoutes = (): string[] =>
    routesOf(app).filter((route) => !PUBLIC_ROUTES.includes(route));

  /** Other ways to write a path: each leads to the same guard, or to no route. */
  const spellings = (path: string): string[] => [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.toUpperCase(),
    `${path}.json`,
    `${path};a=b`,
    `${path}%2f`,
    `${path}%00`,
    `${path}?`,
    `${path}/.`,
    `${path}/..%2f`,
    path.replace('/', '/%2e/'),
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
    `/server/ping/..%2f..${path}`,
    `/server%2fping/..${path}`,
  ];

  it('is not opened by another spelling of its path', async () => {
    for (const route of protectedRoutes()) {
      for (const path of spellings(pathOf(route))) {
        const { status, text } = await request(methodOf(route), path);
        if (isOpen(status) || status >= 500)
          throw new Error(`${route} at ${path}: ${status} ${text}`);
      }
    }
  });

  it('is not opened by another method', async () => {
    for (const path of new Set(protectedRoutes().map(pathOf))) {
      for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PROPFIND', 'LOCK', 'MOVE', 'REPORT']) {
        const reply = await request(method, path);
        if (isOpen(reply.status) || reply.status >= 500)
          throw new Error(`${method} ${path}: ${reply.status}`);
        if (method === 'HEAD') expect(reply.text).toBe('');
        if (reply.status === 405) expect(reply.headers.get('allow')).toMatch(/^[A-Z, ]+$/);
      }
    }
  });

  const OVERRIDES = ['x-http-method-override', 'x-http-method', 'x-method-override'];

  it('ignores a header that names another method or path', async () => {
    const before = await world.state();
    for (const header of OVERRIDES) {
      const reply = await world
        .as('admin')
        .send('POST', `/users/${ADMINISTRATOR()}?_method=DELETE`, {}, { [header]: 'DELETE' });
      expect([reply.status, reply.codes]).toEqual([405, ['METHOD_NOT_ALLOWED']]);
      expect((await request('POST', '/auth/login', { [header]: 'GET' })).status).toBe(400);
    }
    for (const header of ['x-original-url', 'x-rewrite-url', 'x-forwarded-prefix']) {
      const reply = await request('GET', '/server/ping', { [header]: '/users' });
      expect(reply.text).toBe('pong');
      expect((await request('GET', '/users', { [header]: '/server/ping' })).status).toBe(403);
    }
    expect(await world.state()).toEqual(before);
  });

  it('answers HEAD to callers who may GET, without a body', async () => {
    const reply = await world.as('admin').send('HEAD', '/users');
    expect([reply.status, reply.text]).toEqual([200, '']);
  });
});
