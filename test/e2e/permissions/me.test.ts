import {
  type SeedData,
  create,
  OWN_USER,
  read,
  remove,
  seed,
  share,
  update,
  type World,
} from '../../factories';
import { startTestApp } from '../../support';

const SEED: SeedData = {
  policies: {
    public: [read('service_policies', ['name'])],
    own: [
      read('service_users', ['email', 'first_name'], OWN_USER),
      update('service_users', ['first_name', 'email'], OWN_USER, {
        validation: { email: { _nnull: true } },
        presets: { title: '$CURRENT_USER', location: '$CURRENT_ROLE.name', language: 'en' },
      }),
      share('service_users', [], OWN_USER),
    ],
    more: [
      read('service_users', ['status'], { status: { _eq: 'active' } }),
      update(
        'service_users',
        ['last_name'],
        { role: { _null: true } },
        {
          presets: { language: 'fr', description: 'x' },
        },
      ),
    ],
    hands: [read('service_roles'), create('service_roles', ['*']), remove('service_roles')],
    settings: [
      update(
        'service_settings',
        ['project_name'],
        { project_url: { _null: true } },
        {
          presets: { default_language: 'en' },
        },
      ),
    ],
    named: [
      update(
        'service_settings',
        ['default_language'],
        { project_name: { _null: true } },
        {
          presets: { project_url: 'https://named.example' },
        },
      ),
    ],
    elsewhere: { rules: [read('service_access', ['*'])], ip_access: ['10.0.0.0/8'] },
    chief: { rules: [], admin_access: true },
  },
  roles: { staff: { policies: ['elsewhere'] } },
  users: {
    olga: { policies: ['own'], role: 'staff' },
    mia: { policies: ['own', 'more', 'settings'] },
    ada: { policies: ['hands'] },
    ned: {},
    sid: { policies: ['settings'] },
    sue: { policies: ['settings', 'named'] },
    carl: { policies: ['chief'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const NONE = { access: 'none' };
const granted = (access: string, fields: string[], presets: object = {}): object => ({
  access,
  fields,
  presets,
});
const NOTHING = {
  create: NONE,
  read: NONE,
  update: NONE,
  delete: NONE,
  share: NONE,
  comment: NONE,
};
const PUBLIC = {
  service_policies: { ...NOTHING, read: granted('full', ['id', 'name']) },
};

const REPORTS: readonly (readonly [string, string, object])[] = [
  ['ned', 'has what everybody has', PUBLIC],
  [
    'olga',
    'has some rows, with the values of presets',
    {
      ...PUBLIC,
      service_users: {
        ...NOTHING,
        read: granted('partial', ['id', 'email', 'first_name']),
        update: granted('partial', ['email', 'first_name'], {
          title: '<olga>',
          location: 'staff',
          language: 'en',
        }),
        share: granted('partial', []),
      },
    },
  ],
  [
    'mia',
    'has the sum of two policies, the first preset first',
    {
      ...PUBLIC,
      service_users: {
        ...NOTHING,
        read: granted('partial', ['id', 'email', 'first_name', 'status']),
        update: granted('partial', ['email', 'first_name', 'last_name'], {
          title: '<mia>',
          location: null,
          language: 'en',
          description: 'x',
        }),
        share: granted('partial', []),
      },
      service_settings: {
        ...NOTHING,
        update: granted('partial', ['project_name'], { default_language: 'en' }),
      },
    },
  ],
  [
    'ada',
    'may create and delete all, and read none by a rule without fields',
    {
      ...PUBLIC,
      service_roles: { ...NOTHING, create: granted('full', ['*']), delete: granted('full', []) },
    },
  ],
];

describe('GET /permissions/me', () => {
  test.each(REPORTS)('%s %s', async (caller, _, report) => {
    const reply = await world.as(caller).get('/permissions/me');
    expect([reply.status, reply.data]).toEqual([200, world.fill(report)]);
  });

  test.each(['admin', 'carl'])('%s may do everything everywhere', async (caller) => {
    const { data } = await world.as(caller).get('/permissions/me');
    const FULL = granted('full', ['*']);
    const everything = Object.fromEntries(Object.keys(NOTHING).map((action) => [action, FULL]));
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(['service_users', 'service_permissions', 'service_settings']),
    );
    for (const report of Object.values(data)) expect(report).toEqual(everything);
  });

  it('is refused to callers who are not signed in', async () => {
    const reply = await world.as(null).get('/permissions/me');
    expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
  });
});

const item = (update: boolean, remove = false, share = false): object => ({
  update: { access: update },
  delete: { access: remove },
  share: { access: share },
});

const ITEMS: readonly (readonly [caller: string, path: string, report: object])[] = [
  ['olga', 'service_users/<olga>', item(true, false, true)],
  ['olga', 'service_users/<mia>', item(false)],
  ['mia', 'service_users/<ned>', item(true)],
  ['mia', 'service_users/<olga>', item(false)],
  ['ada', 'service_roles/<staff>', item(false, true)],
  ['ada', 'service_roles/<ada>', item(false, false)],
  ['ned', 'service_users/<ned>', item(false)],
  ['ned', 'nonsense/1', item(false)],
  ['ned', 'service_sessions/1', item(false)],
  ['ned', '__proto__/constructor', item(false)],
  ['olga', 'service_users/nonsense', item(false)],
  ['olga', 'service_users/99999999999999999999', item(false)],
  ['olga', 'service_permissions/99999999999999999999', item(false)],
  ['admin', 'service_users/<ned>', item(true, true, true)],
  ['admin', 'service_users/nonsense', item(true, true, true)],
  ['admin', 'nonsense/1', item(true, true, true)],
  ['ned', 'service_settings', item(false)],
  ['olga', 'service_users', item(false)],
  ['ned', 'nonsense', item(false)],
  [
    'sid',
    'service_settings',
    {
      update: { access: true, fields: ['project_name'], presets: { default_language: 'en' } },
      delete: { access: false },
      share: { access: false },
    },
  ],
  [
    'sue',
    'service_settings',
    {
      update: { access: true, fields: ['project_name'], presets: { default_language: 'en' } },
      delete: { access: false },
      share: { access: false },
    },
  ],
  [
    'admin',
    'service_settings',
    {
      update: { access: true, fields: ['*'], presets: {} },
      delete: { access: true },
      share: { access: true },
    },
  ],
  ['sid', 'service_settings/1', item(true)],
  ['sid', 'service_settings/2', item(false)],
];

describe('GET /permissions/me/{collection}/{id}', () => {
  test.each(ITEMS)('%s at %s', async (caller, path, report) => {
    const reply = await world.as(caller).get(world.fill(`/permissions/me/${path}`));
    expect([reply.status, reply.data]).toEqual([200, report]);
  });

  it('answers only true or false for a singleton whose row is out of reach', async () => {
    await world.as('admin').patch('/settings', { project_url: 'https://example.com' });
    const reply = await world.as('sid').get('/permissions/me/service_settings');
    expect(reply.data).toEqual(item(false));
    await world.restore();
  });

  it.each(['service_users/<ned>', 'service_settings', 'nonsense/1'])(
    'is refused to callers who are not signed in at %s',
    async (path) => {
      const reply = await world.as(null).get(world.fill(`/permissions/me/${path}`));
      expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
    },
  );
});
