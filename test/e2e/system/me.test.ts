import { type SeedData, read, seed, update, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';

/** What all users may read of themselves, over REST and GraphQL. */
const SEED: SeedData = {
  policies: {
    app: { rules: [], app_access: true },
    strict: { rules: [], app_access: true, ip_access: ['10.1.2.3'] },
    crowd: [
      read('service_roles', ['name', 'users', 'children']),
      read('service_users', ['first_name', 'role'], { first_name: { _neq: 'Bob' } }),
    ],
    names: [
      read('service_policies', ['name'], { name: { _eq: 'app' } }),
      read('service_access', ['user', 'policy']),
    ],
    first: [update('service_users', ['first_name'], { id: { _eq: '$CURRENT_USER' } })],
  },
  roles: {
    company: {},
    staff: { parent: 'company' },
    night: { parent: 'staff' },
  },
  users: {
    plain: { first_name: 'Plain', description: 'd', language: 'de', policies: ['strict'] },
    ann: { role: 'night', first_name: 'Ann', policies: ['crowd'] },
    bob: { role: 'night', first_name: 'Bob', policies: ['names', 'app', 'first'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const rest = (who: string | null, path: string): Promise<Reply> =>
  world.as(who).get(world.fill(path));
const graphql = (who: string | null, query: string): Promise<Reply> =>
  world.as(who).post('/graphql/system', { query: world.fill(query) });

const SIGNED_OUT = [401, ['INVALID_CREDENTIALS']];

describe('a caller who is not signed in', () => {
  it.each([
    'GET /users/me',
    'PATCH /users/me',
    'DELETE /users/me',
    'GET /roles/me',
    'GET /policies/me/globals',
    'GET /users/me/sessions',
    'DELETE /users/me/sessions',
    'DELETE /users/me/sessions/x',
    'GET /users/me/tokens',
    'POST /users/me/tokens',
    'DELETE /users/me/tokens/x',
    'POST /users/me/tfa/generate',
    'POST /users/me/tfa/enable',
    'POST /users/me/tfa/disable',
  ])('is asked to sign in at %s', async (route) => {
    const [method = '', path = ''] = route.split(' ');
    const reply = await world.as(null).send(method, path, method === 'GET' ? undefined : {});
    expect([reply.status, reply.codes]).toEqual(SIGNED_OUT);
  });

  it.each(['{ users_me { id } }', '{ roles_me { id } }', '{ policies_me_globals { app_access } }'])(
    'is asked to sign in at %s',
    async (query) => {
      const reply = await graphql(null, query);
      expect(reply.codes).toEqual(['INVALID_CREDENTIALS']);
    },
  );

  it('is refused permission reports', async () => {
    for (const path of ['/permissions/me', '/permissions/me/service_users']) {
      expect((await rest(null, path)).codes).toEqual(['FORBIDDEN']);
    }
    expect((await graphql(null, '{ permissions_me }')).codes).toEqual(['FORBIDDEN']);
  });
});

describe('the caller’s own roles', () => {
  it('are all roles of the caller, nearest first, by id if no rule shows more', async () => {
    expect((await rest('bob', '/roles/me?fields=id')).data).toEqual(
      world.fill([{ id: '<night>' }, { id: '<staff>' }, { id: '<company>' }]),
    );
    expect((await graphql('bob', '{ roles_me { id } }')).data).toEqual({
      roles_me: world.fill([{ id: '<night>' }, { id: '<staff>' }, { id: '<company>' }]),
    });
    expect((await rest('plain', '/roles/me')).data).toEqual([]);
  });

  it('show the fields that rules grant', async () => {
    const { data } = await rest('ann', '/roles/me?fields=name');
    expect(data).toEqual([{ name: 'night' }, { name: 'staff' }, { name: 'company' }]);
    const all = await graphql('ann', '{ roles_me { id name } }');
    expect((all.data['roles_me'] as unknown[])[0]).toEqual(
      world.fill({ id: '<night>', name: 'night' }),
    );
  });

  it('are counted without the roles of others', async () => {
    for (const who of ['ann', 'bob']) {
      const { body } = await rest(who, '/roles/me?fields=id&meta=*');
      expect(body).toMatchObject({ meta: { total_count: 3, filter_count: 3 } });
    }
  });

  it('show no fields that no rule grants', async () => {
    for (const field of ['description', 'policies', 'no_such', 'children.parent']) {
      expect((await rest('ann', `/roles/me?fields=${field}`)).codes).toEqual(['FORBIDDEN']);
    }
    expect((await rest('plain', '/roles/me?fields=name')).codes).toEqual(['FORBIDDEN']);
  });

  it('accept only the parameters of one item', async () => {
    const reply = await rest('ann', '/roles/me?filter[name][_eq]=x');
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
  });
});

describe('the global flags of the caller’s own policies', () => {
  const FIELDS = '{ policies_me_globals { app_access admin_access enforce_tfa } }';

  it.each([
    ['bob', { app_access: true, admin_access: false, enforce_tfa: false }],
    ['plain', { app_access: false, admin_access: false, enforce_tfa: false }],
    ['admin', { app_access: true, admin_access: true, enforce_tfa: false }],
  ])('are for %s those of the policies in force', async (who, globals) => {
    expect((await rest(who, '/policies/me/globals')).body).toEqual({ data: globals });
    expect((await graphql(who, FIELDS)).body).toEqual({ data: { policies_me_globals: globals } });
  });
});

describe('the caller’s own profile', () => {
  it('has all fields of the service, the policies by id and the name of the role', async () => {
    const fields = 'email,description,language,password,tfa_secret,role.id,role.name';
    expect((await rest('bob', `/users/me?fields=${fields}`)).data).toEqual(
      world.fill({
        ...{ email: 'bob@example.com', description: null, language: null, tfa_secret: null },
        password: '**********',
        role: { id: '<night>', name: 'night' },
      }),
    );
    const query = '{ users_me { email role { id name } policies { id } } }';
    expect((await graphql('plain', query)).data).toEqual(
      world.fill({
        users_me: { email: 'plain@example.com', role: null, policies: [{ id: '<strict>' }] },
      }),
    );
  });

  /** Each leads further or selects rows. For that, only rules count, and they grant nothing. */
  it.each([
    'fields=role.description',
    'fields=role.parent',
    'fields=role.parent.name',
    'fields=role.users.id',
    'fields=policies.name',
    'fields=count(policies)',
    'alias[n]=count(policies)&fields=n',
    'fields=role.count(users)',
    'fields=policies.users',
    'fields=policies.users.email',
    'fields=policies&deep[policies][_filter][id][_eq]=<strict>',
    'fields=policies.id&deep[policies][_sort]=id',
    'fields=policies.id&deep[policies][_search]=x',
    'fields=policies.id&alias[p]=policies&deep[policies][_filter][users][email][_contains]=a',
  ])('shows without rules nothing further through %s', async (query) => {
    expect((await rest('plain', `/users/me?${query}`)).codes).toEqual(['FORBIDDEN']);
  });

  it('also shows parts of times', async () => {
    const year = new Date().getUTCFullYear();
    const { data } = await rest('plain', '/users/me?fields=year(date_created)');
    expect([{ date_created_year: year }, { date_created_year: year - 1 }]).toContainEqual(data);
  });

  it('shows nothing further in GraphQL', async () => {
    for (const inner of [
      'role { description }',
      'role { users { id } }',
      'policies { name }',
      'policies(filter: { id: { _nnull: true } }) { id }',
      'policies(sort: ["id"]) { id }',
    ]) {
      expect((await graphql('plain', `{ users_me { ${inner} } }`)).codes).toEqual(['FORBIDDEN']);
    }
  });

  it.each(['limit: null', 'search: ""', 'sort: []', 'sort: [""]', 'sort: null', 'filter: {}'])(
    'is shown in GraphQL with an empty argument as without: %s',
    async (empty) => {
      const query = `{ users_me { policies(${empty}, page: null, offset: null) { id } } }`;
      const { data, codes } = await graphql('plain', query);
      expect(codes).toEqual([]);
      expect(data).toEqual(world.fill({ users_me: { policies: [{ id: '<strict>' }] } }));
    },
  );

  it('hides the own row behind a relation if the rules hide it', async () => {
    const others = await rest('bob', '/users/me?fields=role.users.first_name');
    expect(others.codes).toEqual(['FORBIDDEN']);
    const ann = await rest('ann', '/users/me?fields=role.name,role.users.first_name');
    expect(ann.data).toEqual({ role: { name: 'night', users: [{ first_name: 'Ann' }] } });
    expect((await rest('ann', '/users/me?fields=role.users.email')).codes).toEqual(['FORBIDDEN']);
  });

  it('shows related rows if rules grant them', async () => {
    const names = await rest(
      'bob',
      '/users/me?fields=policies.name&deep[policies][_filter][name][_eq]=app',
    );
    expect(names.data).toEqual({ policies: [{ name: 'app' }] });
  });

  it('accepts no filter, sort, search or aggregate', async () => {
    for (const query of ['filter[email][_eq]=x', 'sort=email', 'search=x', 'aggregate[count]=*']) {
      expect((await rest('plain', `/users/me?${query}`)).codes).toEqual(['INVALID_QUERY']);
    }
  });

  it('is also the answer to an update of it', async () => {
    const change = { first_name: 'Bobby' };
    const reply = await world
      .as('bob')
      .patch('/users/me?fields=first_name,email,role.name', change);
    expect(reply.data).toEqual({ ...change, email: 'bob@example.com', role: { name: 'night' } });
    const further = await world
      .as('bob')
      .patch('/users/me?fields=role.description', { first_name: 'x' });
    expect(further.codes).toEqual(['FORBIDDEN']);
    const sorted = await world.as('plain').patch('/users/me?filter[email][_eq]=x', {
      password: 'a-new-long-one',
      current_password: 'open-sesame-2',
    });
    expect(sorted.codes).toEqual(['INVALID_QUERY']);
    const mutation =
      'mutation { update_users_me(data: { first_name: "Bob" }) { first_name email } }';
    expect((await graphql('bob', mutation)).data).toEqual({
      update_users_me: { first_name: 'Bob', email: 'bob@example.com' },
    });
  });
});
