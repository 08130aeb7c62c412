import { create, read, remove, seed, type SeedData, update, type World } from '../factories';
import { startTestApp } from '../support';

const whole = (collection: string) => [
  create(collection, ['*']),
  read(collection, ['*']),
  update(collection, ['*']),
  remove(collection),
];

/** `mgr` writes rules of `shared`, which also apply to `boss`, who has more. */
const SEED: SeedData = {
  policies: {
    shared: [
      ...['service_users', 'service_roles', 'service_access', 'service_permissions'].flatMap(whole),
      ...whole('service_policies'),
    ],
    more: [remove('service_settings')],
    laid: [
      update(
        'service_users',
        ['title', 'location'],
        { status: { _eq: 'draft' } },
        {
          presets: { role: null, language: 'de' },
        },
      ),
    ],
  },
  roles: { chiefs: { policies: ['shared', 'more'] } },
  users: { mgr: { policies: ['shared', 'laid'] }, boss: { role: 'chiefs' } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world?.app.close());

const rules = (): Promise<object[]> =>
  world.app.database.query('SELECT * FROM service_permissions ORDER BY id');

const trap = (more: object): object =>
  world.fill({
    ...{ policy: '<shared>', collection: 'service_users', action: 'update', fields: ['*'] },
    ...{ permissions: { id: { _eq: '<mgr>' } }, ...more },
  }) as object;

const refused = { status: 403, codes: ['FORBIDDEN'], field: 'presets' };

const fieldOf = (body: unknown): unknown =>
  (body as { errors?: { extensions: { field?: unknown } }[] }).errors?.[0]?.extensions.field;

async function expectRefused(
  method: string,
  path: string,
  body: unknown,
  status = 403,
): Promise<void> {
  const before = await rules();
  const reply = await world.as('mgr').send(method, world.fill(path), world.fill(body));
  expect({ status: reply.status, codes: reply.codes, field: fieldOf(reply.body) }).toEqual({
    ...refused,
    status,
  });
  expect(await rules()).toEqual(before);
}

describe('20: a rule whose presets others write', () => {
  it.each<[string, object]>([
    ['role', { presets: { role: '<chiefs>' } }],
    ['email', { presets: { email: 'mgr@example.net' } }],
    ['email from a variable', { presets: { email: '$CURRENT_USER.location' } }],
    ['status', { presets: { status: 'active' } }],
    ['role of a new user', { action: 'create', permissions: {}, presets: { role: '<chiefs>' } }],
    [
      'role, beside an ordinary field',
      { presets: { title: '$CURRENT_USER.title', role: '<chiefs>' } },
    ],
    ...[{ user: '<mgr>' }, { role: '<chiefs>' }, { policy: '<more>' }, { expires_at: null }].map(
      (presets): [string, object] => [
        `${Object.keys(presets)[0]} of an access row`,
        { collection: 'service_access', action: 'create', permissions: {}, presets },
      ],
    ),
    [
      'parent of a role',
      { collection: 'service_roles', permissions: {}, presets: { parent: '<chiefs>' } },
    ],
    [
      'name of a policy',
      { collection: 'service_policies', permissions: {}, presets: { name: 'x' } },
    ],
    [
      'fields of a rule',
      { collection: 'service_permissions', permissions: {}, presets: { fields: ['*'] } },
    ],
  ])('is refused where it presets the %s', async (_, more) => {
    await expectRefused('POST', '/permissions', trap(more));
  });

  it('is refused through every door', async () => {
    const presets = { role: '<chiefs>' };
    const rule = trap({ presets });
    const nested = { ...rule, policy: undefined };
    await expectRefused('POST', '/permissions', [trap({}), rule]);
    await expectRefused('PATCH', '/permissions/<shared#3>', { presets });
    await expectRefused('PATCH', '/permissions', { keys: ['<shared#3>'], data: { presets } });
    await expectRefused('PATCH', '/permissions', [{ id: '<shared#3>', presets }]);
    await expectRefused('POST', '/policies', { name: 'x', permissions: [nested] });
    const lists = { permissions: { create: [nested], update: [], delete: [] } };
    await expectRefused('PATCH', '/policies/<shared>', lists);
    const variables = { data: { ...rule, fields: ['*'] } };
    const before = await rules();
    const reply = await world
      .as('mgr')
      .graphql(
        'mutation ($data: create_permissions_input!) { create_permissions_item(data: $data) { id } }',
        variables,
        '/graphql/system',
      );
    expect(reply.codes).toEqual(['FORBIDDEN']);
    expect(fieldOf(reply.body)).toBe('presets');
    expect(await rules()).toEqual(before);
  });

  it.each<[string, object]>([
    ['other rows', { permissions: {} }],
    ['a weaker check', { validation: { title: { _nnull: true } } }],
    ['more fields', { fields: ['*'] }],
    ['another field', { fields: ['title', 'tags'] }],
    ['another action', { action: 'create' }],
    ['another policy', { policy: '<shared>' }],
    ['another value', { presets: { role: '<chiefs>', language: 'de' } }],
    ['one more such preset', { presets: { role: null, email: null } }],
  ])("is not widened by others than administrators, once it is one's: %s", async (_, change) => {
    await expectRefused('PATCH', '/permissions/<laid#1>', change);
  });

  it('can be narrowed, and may preset ordinary fields', async () => {
    const mgr = world.as('mgr');
    const path = world.fill('/permissions/<laid#1>');
    for (const change of [
      { presets: { role: null, title: '$CURRENT_USER.title' } },
      { fields: ['title'] },
      { presets: { title: 'x' } },
      { permissions: {} },
    ]) {
      expect((await mgr.patch(path, change)).status).toBe(200);
    }
    const ordinary = trap({ presets: { location: '$CURRENT_USER.location', tags: ['x'] } });
    expect((await mgr.post('/permissions', ordinary)).status).toBe(200);
    const guarded = trap({ presets: { role: '<chiefs>' } });
    expect((await world.as('admin').post('/permissions', guarded)).status).toBe(200);
  });
});
