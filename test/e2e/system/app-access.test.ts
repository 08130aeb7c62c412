import { type SeedData, read, seed, type World } from '../../factories';
import { as, startTestApp } from '../../support';
import { play, type Scenario } from '../../support/scenarios';

/** Users with only `app_access`, by role or directly, limited to another network, or with other rules. */
const SEED: SeedData = {
  policies: {
    app: { rules: [], app_access: true },
    elsewhere: { rules: [], app_access: true, ip_access: ['10.1.2.3'] },
    titles: [read('service_users', ['title'])],
  },
  roles: { staff: { policies: ['app'] }, remote: { policies: ['elsewhere'] }, spare: {} },
  users: {
    ann: { role: 'staff', first_name: 'Ann', tags: ['a'], title: 'Dr' },
    bob: { role: 'staff', first_name: 'Bob', policies: ['titles'], title: 'Mr' },
    cid: { policies: ['app'], first_name: 'Cid' },
    far: { role: 'remote', first_name: 'Far' },
  },
};

const users = 'service_users';
const scenario = (
  it: string,
  caller: string | null,
  operation: Scenario['operation'],
  collection: string,
  rest: object,
): Scenario => ({ it, caller, operation, collection, ...rest }) as Scenario;

const refused = { refused: 'FORBIDDEN' };

describe('a policy with app_access', () => {
  play({
    seed: SEED,
    scenarios: [
      scenario('shows users their own row, and no other', 'ann', 'list', users, {
        query: { fields: ['id', 'first_name', 'status', 'provider', 'role', 'date_created'] },
        shows: [{ id: '<ann>', first_name: 'Ann', status: 'active', provider: 'default' }],
        hides: ['Bob'],
      }),
      scenario('shows no other row by its id', 'ann', 'one', users, { id: '<bob>', ...refused }),
      ...['password', 'tfa_secret'].map((field) =>
        scenario(`shows no ${field}`, 'ann', 'list', users, {
          query: { fields: ['id', field] },
          ...refused,
        }),
      ),
      scenario('is combined with stored rules', 'bob', 'list', users, {
        query: {
          fields: ['first_name', 'title'],
          filter: { title: { _in: ['Dr', 'Mr'] } },
          sort: ['title'],
        },
        gives: [
          { first_name: null, title: 'Dr' },
          { first_name: 'Bob', title: 'Mr' },
        ],
      }),
      scenario('shows users their own role', 'ann', 'list', 'service_roles', {
        query: { fields: ['id', 'name', 'icon'] },
        gives: [{ id: '<staff>', name: 'staff', icon: null }],
      }),
      scenario('shows nothing more of the role', 'ann', 'list', 'service_roles', {
        query: { fields: ['users'] },
        ...refused,
      }),
      scenario('shows no role to users without one', 'cid', 'list', 'service_roles', {
        query: { fields: ['id'] },
        gives: [],
      }),
      scenario(
        'shows of the settings what every page shows',
        'ann',
        'readSingleton',
        'service_settings',
        {
          query: { fields: ['project_name', 'project_url', 'default_language'] },
          gives: { project_name: 'Doorward', project_url: null, default_language: 'en-US' },
        },
      ),
      ...['public_registration', 'auth_login_attempts'].map((field) =>
        scenario(`shows no ${field}`, 'ann', 'readSingleton', 'service_settings', {
          query: { fields: [field] },
          ...refused,
        }),
      ),
      scenario('allows users to change their own profile', 'ann', 'update', users, {
        id: '<ann>',
        data: {
          ...{ first_name: 'Anna', last_name: 'Alder', title: null, description: 'd' },
          ...{ location: 'Here', tags: ['b'], language: 'de' },
        },
        stored: { [users]: { '<ann>': { first_name: 'Anna', tags: ['b'], language: 'de' } } },
      }),
      ...Object.entries({
        status: 'suspended',
        role: null,
        policies: [],
        provider: 'x',
        external_identifier: 'x',
        last_access: null,
      }).map(([field, value]) =>
        scenario(`does not allow users to change their own ${field}`, 'ann', 'update', users, {
          id: '<ann>',
          data: { [field]: value },
          ...refused,
        }),
      ),
      scenario('does not allow users to change another user', 'ann', 'update', users, {
        id: '<bob>',
        data: { first_name: 'x' },
        ...refused,
      }),
      scenario(
        'does not allow changing the settings',
        'ann',
        'updateSingleton',
        'service_settings',
        {
          data: { project_name: 'x' },
          ...refused,
        },
      ),
      scenario('does not apply from another network', 'far', 'list', users, refused),
      ...[users, 'service_roles', 'service_settings'].map((collection) =>
        scenario(
          `shows nothing of ${collection} without signing in`,
          null,
          collection === 'service_settings' ? 'readSingleton' : 'list',
          collection,
          refused,
        ),
      ),
    ],
  });
});

describe('the rights of app_access', () => {
  let world: World;

  beforeAll(async () => {
    world = await seed(await startTestApp(), SEED);
  });

  afterAll(() => world.app.close());

  it('are shown in the caller’s own permission report', async () => {
    const { data } = await world.as('ann').get('/permissions/me');
    expect(Object.keys(data).toSorted()).toEqual([
      'service_roles',
      'service_settings',
      'service_users',
    ]);
    expect(data).toMatchObject({
      service_roles: { read: { access: 'partial', fields: ['id', 'name', 'icon'] } },
      service_users: {
        create: { access: 'none' },
        read: { access: 'partial' },
        update: {
          access: 'partial',
          fields: [
            ...['first_name', 'last_name', 'title', 'description', 'location', 'tags'],
            'language',
          ],
        },
      },
    });
    const item = await world.as('ann').get(world.fill('/permissions/me/service_users/<ann>'));
    expect(item.data).toMatchObject({ update: { access: true }, delete: { access: false } });
  });

  it('end when the policy loses app_access', async () => {
    const policy = world.fill('/policies/<app>');
    const admin = world.as('admin');
    expect((await admin.patch(policy, { app_access: false })).status).toBe(200);
    expect((await world.as('ann').get('/users')).codes).toEqual(['FORBIDDEN']);
    expect((await admin.patch(policy, { app_access: true })).status).toBe(200);
    expect((await world.as('ann').get('/users?fields=id')).data).toEqual(
      world.fill([{ id: '<ann>' }]),
    );
  });

  it('cover only the project for callers who are not signed in', async () => {
    const admin = world.as('admin');
    expect((await admin.patch(world.fill('/policies/<public>'), { app_access: true })).status).toBe(
      200,
    );
    const nobody = as(world.app);
    expect((await nobody.get('/settings?fields=project_name')).data).toEqual({
      project_name: 'Doorward',
    });
    expect((await nobody.get('/settings?fields=public_registration')).status).toBe(403);
    for (const path of ['/users', '/roles', world.fill('/users/<ann>')]) {
      expect((await nobody.get(path)).codes).toEqual(['FORBIDDEN']);
    }
    expect((await world.as('far').get('/users?fields=id')).data).toEqual(
      world.fill([{ id: '<far>' }]),
    );
    await admin.patch(world.fill('/policies/<public>'), { app_access: false });
  });

  it('do not reach further through the own row', async () => {
    const ann = world.as('ann');
    expect((await ann.get('/users?fields=role.users')).codes).toEqual(['FORBIDDEN']);
    const aggregate = await ann.get('/users?aggregate[count]=*');
    expect(aggregate.data).toEqual([{ count: 1 }]);
    const bob = `/users?filter[first_name][_eq]=Bob&meta=*`;
    expect((await ann.get(bob)).body).toMatchObject({ data: [], meta: { filter_count: 0 } });
  });
});
