import {
  type SeedData,
  OWN_USER,
  read,
  type RuleSeed,
  seed,
  update,
  type World,
} from '../factories';
import { startTestApp } from '../support';
import { expectAlike, expectUnknown, json } from './compare';

/** Row filters of rules that must grant nothing: a variable in them has no value for the user who has the rule. */
const VALUELESS: Readonly<Record<string, object>> = {
  'an empty list': { id: { _in: [] } },
  'no role, equal': { role: { _eq: '$CURRENT_ROLE' } },
  'no role, different': { role: { _neq: '$CURRENT_ROLE' } },
  'no role, among': { role: { _in: ['$CURRENT_ROLE'] } },
  'no role, not among': { role: { _nin: ['$CURRENT_ROLE'] } },
  'no roles, among': { role: { _in: '$CURRENT_ROLES' } },
  'no roles, not among': { role: { _nin: '$CURRENT_ROLES' } },
  'no name, different': { first_name: { _neq: '$CURRENT_USER.last_name' } },
  'no name, contained': { first_name: { _contains: '$CURRENT_USER.last_name' } },
  'no name, not contained': { first_name: { _ncontains: '$CURRENT_USER.last_name' } },
  'no name, not at the end': { first_name: { _niends_with: '$CURRENT_USER.last_name' } },
  'no name, greater': { first_name: { _gte: '$CURRENT_USER.last_name' } },
  'no name, not between': { first_name: { _nbetween: ['a', '$CURRENT_USER.last_name'] } },
  'no name of a role': { first_name: { _neq: '$CURRENT_ROLE.name' } },
  'no parent of a role': { role: { _neq: '$CURRENT_ROLE.parent' } },
  'an empty list of tags': { first_name: { _nin: '$CURRENT_USER.tags' } },
  '_none with no role': { policies: { _none: { name: { _eq: '$CURRENT_ROLE.name' } } } },
  '_none within _none': {
    policies: { _none: { users: { _none: { role: { _eq: '$CURRENT_ROLE' } } } } },
  },
};

const valueless = Object.entries(VALUELESS);
const both = (rows: object): RuleSeed[] => [
  read('service_users', ['email', 'first_name'], rows),
  update('service_users', ['first_name'], rows),
];
const nameOf = (index: number): string => `v${index}`;

const SEED: SeedData = {
  policies: {
    ...Object.fromEntries(valueless.map(([, rows], index) => [nameOf(index), both(rows)])),
    'own names': [read('service_users', ['first_name', 'last_name'], OWN_USER)],
    addresses: [read('service_users', ['email'], { status: { _eq: 'active' } })],
    titles: [read('service_users', ['title'], { first_name: { _eq: 'Amy' } })],
    'change own': [update('service_users', ['first_name'], OWN_USER)],
    'change actives': [update('service_users', ['title'], { status: { _eq: 'active' } })],
    keys: [read('service_users', ['email', 'role'])],
    'some roles': [read('service_roles', ['name'], { name: { _eq: 'shown' } })],
  },
  roles: { shown: {}, dark: { policies: ['own names'] } },
  users: {
    ...Object.fromEntries(
      valueless.map((_, index) => [nameOf(index), { policies: [nameOf(index)] }]),
    ),
    uma: {
      first_name: 'Uma',
      policies: ['own names', 'addresses', 'titles', 'change own', 'change actives'],
    },
    amy: { first_name: 'Amy', last_name: 'Birch', title: 'Captain', role: 'dark' },
    sue: { first_name: 'Sue', status: 'suspended', title: 'Dr', role: 'shown' },
    kay: { policies: ['keys', 'some roles'], role: 'shown' },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const rowsOf = async (caller: string, path: string): Promise<unknown> => {
  const reply = await world.as(caller).get(world.fill(path));
  expect(reply.status).toBe(200);
  return reply.data;
};

describe('7: an oracle through a relation', () => {
  const kay = (path: string) => world.as('kay').get(path);

  it.each(['description', 'parent', 'policies', 'users', 'icon'])(
    'cannot use %s of a role, in any place',
    async (name) => {
      for (const place of [
        (field: string) => `filter=${json({ role: { [field]: { _nnull: true } } })}`,
        (field: string) =>
          `filter=${json({ _or: [{ role: { _or: [{ [field]: { id: { _nnull: true } } }] } }] })}`,
        (field: string) => `sort=role.${field}`,
        (field: string) => `fields=role.${field}`,
        (field: string) =>
          `fields=role.name&alias[role]=role&deep[role][_filter][${field}][_nnull]=true`,
        (field: string) => `fields=role.name&deep[role][_sort]=${field}`,
        (field: string) => `fields=email&filter[email][_eq]=$CURRENT_ROLE.${field}`,
      ]) {
        await expectUnknown((field) => kay(`/users?${place(field)}`), name);
      }
    },
  );

  it('cannot use the password of a user behind a list', async () => {
    for (const filter of [
      { users: { password: { _nnull: true } } },
      { users: { _some: { _or: [{ tfa_secret: { _null: true } }] } } },
      { users: { _none: { password: { _starts_with: '$2b' } } } },
    ]) {
      const reply = await world.as('admin').get(`/roles?filter=${json(filter)}`);
      expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
    }
  });

  it('finds nothing behind a hidden row, as behind a missing one', async () => {
    await expectAlike(
      world,
      'kay',
      '/users?meta=*&limit=0&filter[role][name][_neq]=shown',
      '/users?meta=*&limit=0&filter[role][name][_eq]=nonsense',
    );
    expect(await rowsOf('kay', '/users?fields=role,email&filter[email][_starts_with]=amy')).toEqual(
      world.fill([{ email: 'amy@example.com', role: '<dark>' }]),
    );
    expect(await rowsOf('kay', '/users?fields=role.name&filter[email][_starts_with]=amy')).toEqual([
      { role: null },
    ]);
  });
});

describe('8: a variable without a value', () => {
  it.each(valueless.map(([what], index) => [what, nameOf(index)] as const))(
    '(%s) grants no row to %s',
    async (_, caller) => {
      const reply = await world.as(caller).get('/users?meta=*');
      expect(reply.body).toEqual({ data: [], meta: { total_count: 0, filter_count: 0 } });
      const before = await world.state();
      for (const name of [caller, 'amy', 'admin']) {
        const path = world.fill(`/users/<${name}>`);
        expect((await world.as(caller).get(path)).codes).toEqual(['FORBIDDEN']);
        expect((await world.as(caller).patch(path, { first_name: 'X' })).codes).toEqual([
          'FORBIDDEN',
        ]);
      }
      expect(await world.state()).toEqual(before);
    },
  );

  it('grants nobody anything by a public rule', async () => {
    const rule = { policy: '<public>', collection: 'service_users', action: 'read', fields: ['*'] };
    const SELF = '$CURRENT_USER';
    for (const id of [{ _eq: SELF }, { _neq: SELF }, { _in: [SELF] }, { _nin: [SELF] }]) {
      await world.as('admin').post('/permissions', world.fill({ ...rule, permissions: { id } }));
    }
    const reply = await world.as(null).get('/users?meta=*');
    expect(reply.body).toEqual({ data: [], meta: { total_count: 0, filter_count: 0 } });
    await world.restore();
  });

  it('finds no row in a query', async () => {
    for (const filter of [
      { role: { _eq: '$CURRENT_ROLE' } },
      { role: { _neq: '$CURRENT_ROLE' } },
      { _or: [{ role: { _nin: ['$CURRENT_ROLE'] } }] },
    ]) {
      await world.as('admin').patch(world.fill('/users/<admin>'), { first_name: 'Root' });
      expect(
        await rowsOf('uma', `/users?filter=${json({ _or: [{ email: { _in: [] } }] })}`),
      ).toEqual([]);
      expect((await world.as('uma').get(`/users?filter=${json(filter)}`)).status).toBe(403);
    }
    await world.restore();
  });
});

describe('9: rules that overlap', () => {
  const uma = {
    id: '<uma>',
    email: 'uma@example.com',
    first_name: 'Uma',
    last_name: null,
    title: null,
  };
  const amy = {
    id: '<amy>',
    email: 'amy@example.com',
    first_name: null,
    last_name: null,
    title: 'Captain',
  };
  const pick = `filter[id][_in]=<uma>,<amy>,<sue>&sort=email`;

  it('decide the fields of each row by the rules that this row meets', async () => {
    expect(
      await rowsOf('uma', `/users?fields=id,email,first_name,last_name,title&${pick}`),
    ).toEqual(world.fill([amy, uma]));
  });

  it('do so for one item, an alias, a filter, a search and a sort as well', async () => {
    const { first_name, title } = amy;
    expect(await rowsOf('uma', '/users/<amy>?fields=first_name,title')).toEqual({
      first_name,
      title,
    });
    expect(await rowsOf('uma', '/users/<amy>?fields=x&alias[x]=first_name')).toEqual({ x: null });
    expect(await rowsOf('uma', `/users?fields=email&filter[first_name][_eq]=Amy`)).toEqual([]);
    expect(await rowsOf('uma', `/users?fields=id&filter[title][_nnull]=true`)).toEqual(
      world.fill([{ id: '<amy>' }]),
    );
    expect(await rowsOf('uma', '/users?fields=id&search=Birch')).toEqual([]);
    expect(await rowsOf('uma', `/users?fields=id&${pick.replace('email', '-first_name')}`)).toEqual(
      world.fill([{ id: '<amy>' }, { id: '<uma>' }]),
    );
  });

  it('decide the fields of a write by the rules that this row meets', async () => {
    const before = await world.state();
    const patch = (id: string, data: object) =>
      world.as('uma').patch(world.fill(`/users/<${id}>`), data);
    expect((await patch('amy', { first_name: 'X' })).codes).toEqual(['FORBIDDEN']);
    expect((await patch('amy', { title: 'X', first_name: 'X' })).codes).toEqual(['FORBIDDEN']);
    expect((await patch('sue', { title: 'X' })).codes).toEqual(['FORBIDDEN']);
    expect((await patch('uma', { last_name: 'X' })).codes).toEqual(['FORBIDDEN']);
    expect(await world.state()).toEqual(before);
    expect((await patch('uma', { title: 'X', first_name: 'X' })).status).toBe(200);
    expect((await patch('amy', { title: 'X' })).status).toBe(200);
    await world.restore();
  });
});
