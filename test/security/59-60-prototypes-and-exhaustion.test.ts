import { type SeedData, emailOf, PASSWORD, read, seed, update, type World } from '../factories';
import { as, signIn, startTestApp, TEST_ADMIN } from '../support';
import { OBJECT_NAMES } from './words';

const SEED: SeedData = {
  policies: {
    members: [
      read('service_users', ['email', 'first_name', 'tags']),
      update(
        'service_users',
        ['first_name'],
        {},
        { validation: { first_name: { _regex: '^(a+)+$' } } },
      ),
    ],
  },
  users: { mia: { policies: ['members'], first_name: 'Mia' } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const faultCode = async (response: Response): Promise<string | undefined> =>
  ((await response.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions
    .code;

describe('59: a name that every object has', () => {
  /** As JSON text, since an object literal would set its own prototype. */
  const send = (method: string, path: string, text: string): Promise<Response> =>
    fetch(world.app.url + path, {
      method,
      body: text,
      headers: { 'content-type': 'application/json', ...authorization },
    });
  let authorization: Record<string, string> = {};

  beforeAll(async () => {
    authorization = {
      authorization: `Bearer ${(await signIn(world.app, TEST_ADMIN)).access_token}`,
    };
  });

  const clean = (): void => {
    const empty: Record<string, unknown> = {};
    expect([empty['admin'], empty['admin_access'], empty['first_name'], empty['limit']]).toEqual(
      Array(4).fill(undefined),
    );
  };

  it.each(OBJECT_NAMES)('%s changes no object and is a name like any other', async (name) => {
    const value = `{"admin":true,"admin_access":true,"first_name":"P","limit":1}`;
    const rule = `"collection":"service_users","action":"read","policy":"${world.id('members')}"`;
    const bodies: [string, string, string][] = [
      ['POST', '/users', `{"first_name":"Q","${name}":${value}}`],
      ['PATCH', `/users/${world.id('mia')}`, `{"${name}":${value}}`],
      ['PATCH', '/users', `{"keys":["${world.id('mia')}"],"data":{"${name}":${value}}}`],
      ['PATCH', '/users', `{"keys":["${world.id('mia')}"],"data":{},"${name}":${value}}`],
      ['SEARCH', '/users', `{"query":{"${name}":${value}}}`],
      ['SEARCH', '/users', `{"query":{"filter":{"${name}":{"_eq":"x"}}}}`],
      ['SEARCH', '/users', `{"query":{"filter":{"email":{"${name}":"x"}}}}`],
      ['SEARCH', '/users', `{"query":{"alias":{"${name}":"nonsense"}}}`],
      ['SEARCH', '/users', `{"query":{"fields":["${name}"]}}`],
      ['SEARCH', '/users', `{"query":{"sort":["${name}"]}}`],
      ['SEARCH', '/users', `{"query":{"meta":["${name}"]}}`],
      ['SEARCH', '/users', `{"query":{"fields":["role.id"],"deep":{"role":{"_${name}":1}}}}`],
      ['POST', '/permissions', `{${rule},"presets":{"${name}":${value}}}`],
      ['POST', '/permissions', `{${rule},"permissions":{"${name}":{"_eq":1}}}`],
      ['POST', '/permissions', `{${rule},"validation":{"_and":[{"${name}":{"_eq":1}}]}}`],
      ['POST', '/permissions', `{${rule},"fields":["${name}"]}`],
      [
        'POST',
        '/permissions',
        `{"collection":"${name}","action":"read","policy":"${world.id('members')}"}`,
      ],
      ['POST', '/auth/login', `{"email":"a@b.c","password":"x","${name}":${value}}`],
    ];
    const before = await world.state();
    for (const [method, path, text] of bodies) {
      const response = await send(method, path, text);
      const refused = method === 'SEARCH' ? /^(FORBIDDEN|INVALID_QUERY)$/ : /^INVALID_PAYLOAD$/;
      expect([text, await faultCode(response)]).toEqual([text, expect.stringMatching(refused)]);
      clean();
    }
    expect(await world.state()).toEqual(before);
  });

  it('has no effect in a query string', async () => {
    for (const query of [
      '__proto__[limit]=1',
      'filter[__proto__][limit]=1',
      'deep[__proto__][limit]=1',
      'alias[__proto__]=email',
      'constructor[prototype][limit]=1',
    ]) {
      const reply = await world.as('admin').get(`/users?${query}`);
      expect([query, reply.codes]).toEqual([query, ['INVALID_QUERY']]);
      clean();
    }
  });

  it('is text if it is a value', async () => {
    const settings = await send('PATCH', '/settings', `{"project_name":"__proto__"}`);
    expect(settings.status).toBe(200);
    expect((await world.as('admin').get('/settings?fields=project_name')).data).toEqual({
      project_name: '__proto__',
    });
    await world.restore();
  });
});

describe('60: too much', () => {
  const nested = (levels: number): string =>
    `${'{"_and":['.repeat(levels)}{}${']}'.repeat(levels)}`;
  const search = (text: string): Promise<Response> =>
    fetch(`${world.app.url}/users`, {
      method: 'SEARCH',
      body: `{"query":${text}}`,
      headers: { 'content-type': 'application/json', ...bearer },
    });
  let bearer: Record<string, string> = {};

  beforeAll(async () => {
    const { access_token } = await signIn(world.app, {
      email: emailOf('mia'),
      password: PASSWORD,
    });
    bearer = { authorization: `Bearer ${access_token}` };
  });

  it.each<[string, string, string?]>([
    ['a filter 10,000 deep', `{"filter":${nested(10_000)}}`, 'INVALID_PAYLOAD'],
    [
      'a filter with 10,000 members',
      `{"filter":{"_or":[${Array(10_000).fill('{"email":{"_eq":"a"}}').join()}]}}`,
    ],
    [
      'a list of 100,000',
      `{"filter":{"first_name":{"_in":[${Array(100_000).fill('"a"').join()}]}}}`,
    ],
    ['10,000 fields', `{"fields":[${Array(10_000).fill('"email"').join()}]}`],
    ['10,000 sorts', `{"sort":[${Array(10_000).fill('"email"').join()}]}`],
    ['endless relations', `{"fields":["${Array(60).fill('role.users').join('.')}"]}`],
    ['a huge limit', `{"limit":1e15}`],
    ['a huge offset', `{"offset":1e300}`],
  ])('(%s) is refused', async (_, query, code = 'INVALID_QUERY') => {
    const response = await search(query);
    expect([response.status, await faultCode(response)]).toEqual([400, code]);
  });

  it.each([
    [
      'a list of a million',
      `{"filter":{"first_name":{"_in":[${Array(1_000_000).fill('"a"').join()}]}}}`,
    ],
    ['10 MB', `{"search":"${'x'.repeat(10_000_000)}"}`],
  ])('(%s) is refused before it is read', async (_, query) => {
    const response = await search(query).catch((error: unknown) => error);
    if (response instanceof Response) expect(response.status).toBe(413);
    expect((await as(world.app).get('/server/ping')).text).toBe('pong');
  });

  // An engine with backtracking would practically never finish.
  it('(a pattern that takes exponential time elsewhere) is matched', async () => {
    const reply = await world
      .as('mia')
      .patch(world.fill('/users/<mia>'), { first_name: `${'a'.repeat(250)}!` });
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
  });

  it('(all rows) is limited to the largest page', async () => {
    const limited = await startTestApp({ env: { QUERY_LIMIT_MAX: '3', QUERY_LIMIT_DEFAULT: '2' } });
    const small = await seed(limited, { users: { a: {}, b: {}, c: {}, d: {} } });
    const sizes = ['', '?limit=-1', '?limit=3', '?limit=-1&page=2'].map(async (query) => {
      const { data } = await small.as('admin').get(`/users${query}`);
      return (data as unknown as unknown[]).length;
    });
    expect(await Promise.all(sizes)).toEqual([2, 3, 3, 2]);
    expect((await small.as('admin').get('/users?limit=4')).codes).toEqual(['INVALID_QUERY']);
    await limited.close();
  });
});
