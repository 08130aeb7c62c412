import { create, emailOf, PASSWORD, read, seed, type World } from '../../factories';
import { startTestApp } from '../../support';
import { type Call, documentOf, faultsIn, sent } from './described';

const ENV = {
  USER_REQUIRED_FIELDS: 'email,last_name,role',
  QUERY_LIMIT_DEFAULT: '7',
  QUERY_LIMIT_MAX: '50',
};

let world: World;
beforeAll(async () => {
  world = await seed(await startTestApp({ env: ENV }), {
    policies: {
      makers: [
        create('service_users', ['email', 'last_name', 'role']),
        read('service_users', ['email']),
      ],
      presetters: [
        create('service_users', ['email', 'last_name'], {}, { presets: { role: '$CURRENT_ROLE' } }),
      ],
    },
    roles: { staff: {} },
    users: {
      maker: { last_name: 'M', role: 'staff', policies: ['makers'] },
      presetter: { last_name: 'P', role: 'staff', policies: ['presetters'] },
    },
  });
});
afterAll(() => world.app.close());

it('USER_REQUIRED_FIELDS are required where fields are described', async () => {
  const { data } = await world.as('admin').get<DescribedField[]>('/fields/service_users');
  const required = data.filter(({ meta }) => meta.required).map(({ field }) => field);
  expect(required.toSorted()).toEqual(['email', 'last_name', 'role']);
});

interface DescribedField {
  readonly field: string;
  readonly meta: { readonly required: boolean };
}

describe('USER_REQUIRED_FIELDS are required in the document too', () => {
  const WHOLE = { email: 'a@example.com', last_name: 'A', role: '<staff>' };
  const without = (name: keyof typeof WHOLE): object =>
    Object.fromEntries(Object.entries(WHOLE).filter(([each]) => each !== name));
  const post = (name: string, body: unknown): Call => [name, 'POST', '/users', '/users', body];

  const CASES: readonly (readonly [isTaken: boolean, call: Call])[] = [
    [true, post('admin', WHOLE)],
    [true, post('admin', [{ ...WHOLE, email: 'b@example.com' }])],
    [false, post('admin', without('email'))],
    [false, post('admin', without('last_name'))],
    [false, post('admin', without('role'))],
    [false, post('admin', { ...WHOLE, last_name: null })],
    [false, post('admin', { ...WHOLE, last_name: '' })],
    [false, post('admin', { ...WHOLE, role: null })],
    [false, post('admin', [without('email')])],
    [false, post('maker', without('last_name'))],
    [true, ['admin', 'PATCH', '/users/{id}', '/users/<maker>', { last_name: null }]],
    [
      true,
      [
        'admin',
        'PATCH',
        '/roles/{id}',
        '/roles/<staff>',
        { users: { create: [{ email: 'c@example.com', last_name: 'C' }] } },
      ],
    ],
    [
      true,
      ['admin', 'POST', '/users/invite', undefined, { email: 'e@example.com', role: '<staff>' }],
    ],
  ];

  it.each(CASES.map(([isTaken, call]) => ({ what: JSON.stringify(call), isTaken, call })))(
    '$what',
    async ({ isTaken, call }) => {
      expect(await sent(world, call)).toEqual({ taken: isTaken, described: isTaken });
    },
  );

  it('unless a preset sets them', async () => {
    const { components } = await documentOf(world, 'presetter');
    expect(components.schemas['service_users.create']?.required).toEqual(['email', 'last_name']);
  });

  it.each(['/register', '/users/register'])('for a registration at %s', async (path) => {
    const document = await documentOf(world, null);
    const schema = document.paths[path]?.['post']?.requestBody?.content['application/json']?.schema;
    const body = { email: emailOf('new'), password: PASSWORD };
    const faults = (more: object): unknown =>
      faultsIn({ ...body, ...more }, schema ?? {}, document);
    expect(faults({ last_name: 'New' })).toBeUndefined();
    expect(faults({})).toBeDefined();
    expect(faults({ last_name: '' })).toBeDefined();
    expect(faults({ last_name: null })).toBeDefined();
  });
});

describe('parameters have the configured limits', () => {
  it.each([
    ['limit', -2],
    ['limit', -1],
    ['limit', 0],
    ['limit', 50],
    ['limit', 51],
    ['offset', -1],
    ['offset', 0],
    ['page', 0],
    ['page', 1],
    ['page', 1_000_000_000],
    ['page', 1_000_000_001],
    ['offset', 1_000_000_001],
  ])('%s=%d', async (name, value) => {
    const document = await documentOf(world, 'admin');
    const { status } = await world.as('admin').get(`/users?${name}=${value}`);
    const { schema } = document.components.parameters[name] ?? { schema: {} };
    expect(faultsIn(value, schema, document) === undefined).toBe(status === 200);
  });

  it('of a setting: the fewest attempts', async () => {
    const { components } = await documentOf(world, 'admin');
    const texts = JSON.stringify(components.schemas);
    expect(texts).toMatch(/"auth_login_attempts[^"]*":\{[^}]*"minimum":1[,}]/);
  });

  it('and the configured default', async () => {
    const { components } = await documentOf(world, 'admin');
    expect(components.parameters['limit']?.schema).toMatchObject({ default: 7, maximum: 50 });
  });

  it('the token of a link is required, as a text of its length', async () => {
    const { paths } = await documentOf(world, null);
    const { parameters } = paths['/users/register/verify-email']?.['get'] ?? {};
    expect(parameters).toEqual([
      {
        name: 'token',
        in: 'query',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 2048 },
      },
    ]);
    expect(paths['/users/register/verify-email']?.['head']?.parameters).toEqual([
      { name: 'token', in: 'query', schema: { type: 'string' } },
    ]);
    const get = (query: string) => world.as(null).get(`/users/register/verify-email?${query}`);
    expect((await get('')).codes).toEqual(['INVALID_PAYLOAD']);
    expect((await get(`token=${'x'.repeat(2049)}`)).codes).toEqual(['INVALID_PAYLOAD']);
    expect((await get('token=x')).codes).toEqual(['INVALID_TOKEN']);
  });
});

describe('GRAPHQL_INTROSPECTION', () => {
  const sdlPaths = async (from: World): Promise<string[]> =>
    Object.keys((await documentOf(from, 'admin')).paths).filter((path) => path.includes('specs/g'));

  it('on: the document names the routes of the schemas', async () => {
    expect((await sdlPaths(world)).toSorted()).toEqual([
      '/server/specs/graphql',
      '/server/specs/graphql/items',
      '/server/specs/graphql/system',
    ]);
  });

  it('off: it neither names them nor refers to them', async () => {
    const own = await seed(await startTestApp({ env: { GRAPHQL_INTROSPECTION: 'false' } }));
    try {
      expect((await own.as('admin').get('/server/specs/graphql/system')).status).toBe(404);
      expect(await sdlPaths(own)).toEqual([]);
      expect(JSON.stringify(await documentOf(own, 'admin'))).not.toContain('specs/graphql');
    } finally {
      await own.app.close();
    }
  });
});
