import { type SeedData, create, read, seed, type World } from '../factories';
import { type Reply, startTestApp } from '../support';
import { json } from './compare';
import { sqlNames } from './words';

const SEED: SeedData = {
  policies: {
    members: [
      read('service_users', ['email', 'first_name', 'tags']),
      create('service_users', ['email', 'first_name']),
    ],
  },
  users: { mia: { policies: ['members'], first_name: 'Mia' } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

const INJECTIONS = [
  ...sqlNames({
    ...{ table: 'service_users', other: 'service_marks', hidden: 'password', text: 'first_name' },
    ...{ json: 'tags', relation: 'role', list: 'policies' },
  }),
  ...['1', '*', 'ID', 'email ', ''],
];

/** Refused, without an internal error, and without revealing anything of the database. */
function expectHarmless({ status, text }: Reply): void {
  expect([400, 403, 404]).toContain(status);
  expect(text).not.toMatch(
    /\b(syntax|relation|column|SELECT count|pg_|postgres|stack|node_modules)\b/,
  );
}

describe('58: SQL in a name', () => {
  const PLACES: readonly (readonly [string, (name: string) => string])[] = [
    ['a field', (name) => `fields=${encodeURIComponent(name)}`],
    ['a filter', (name) => `filter=${json({ [name]: { _eq: 'x' } })}`],
    ['a filter in brackets', (name) => `filter[${encodeURIComponent(name)}][_eq]=x`],
    ['an operator', (name) => `filter=${json({ email: { [name]: 'x' } })}`],
    ['a function', (name) => `filter=${json({ [`year(${name})`]: { _eq: 1 } })}`],
    [
      'the name of a function',
      (name) => `filter=${json({ [`${name}(date_created)`]: { _eq: 1 } })}`,
    ],
    ['a sort', (name) => `sort=-${encodeURIComponent(name)}`],
    ['a sort through a relation', (name) => `sort=role.${encodeURIComponent(name)}`],
    ['an alias', (name) => `fields=x&alias[x]=${encodeURIComponent(name)}`],
    ['the name of an alias', (name) => `alias=${json({ [name]: 'email' })}`],
    ['an aggregate', (name) => `aggregate[max]=${encodeURIComponent(name)}`],
    ['the name of an aggregate', (name) => `aggregate=${json({ [name]: 'email' })}`],
    ['a group', (name) => `aggregate[max]=email&groupBy=${encodeURIComponent(name)}`],
    ['a variable', (name) => `filter[email][_eq]=${encodeURIComponent(`$CURRENT_USER.${name}`)}`],
    ['a deep query', (name) => `fields=role.name&deep=${json({ role: { _sort: name } })}`],
  ];

  /** Names that are legitimate in some places. */
  const HARMLESS: Readonly<Record<string, readonly string[]>> = {
    '*': ['a field', 'an aggregate'],
    '': ['a field', 'an aggregate', 'a deep query', 'a group', 'a sort', 'an alias'],
    'email ': ['a field', 'a sort', 'an aggregate', 'a group'],
  };

  const isHarmless = (name: string, place: string): boolean =>
    HARMLESS[name]?.includes(place) === true ||
    (place === 'the name of an alias' && /^[a-z]\w*$/i.test(name));

  it.each(PLACES)('is not executed as %s', async (place, render) => {
    const before = await world.state();
    for (const name of INJECTIONS) {
      if (isHarmless(name, place)) continue;
      for (const caller of ['mia', 'admin'])
        expectHarmless(await world.as(caller).get(`/users?${render(name)}`));
    }
    expect(await world.state()).toEqual(before);
  });

  it('is not executed as a key, a path or a property of a body', async () => {
    const before = await world.state();
    for (const name of INJECTIONS.filter((each) => each !== '')) {
      const encoded = encodeURIComponent(name);
      const admin = world.as('admin');
      expectHarmless(await admin.post('/users', { [name]: 'x' }));
      if (name !== '1') expectHarmless(await admin.get(`/permissions/${encoded}`));
      expectHarmless(await admin.get(`/users/${encoded}`));
      expectHarmless(await admin.patch('/users', { keys: [name], data: {} }));
      const rule = { collection: 'service_users', action: 'read', policy: world.id('members') };
      expectHarmless(await admin.post('/permissions', { ...rule, collection: name }));
      if (name !== '*')
        expectHarmless(await admin.post('/permissions', { ...rule, fields: [name] }));
      expectHarmless(await admin.post('/permissions', { ...rule, presets: { [name]: 'x' } }));
    }
    expect(await world.state()).toEqual(before);
  });

  it('is stored as text if it is a value, and can be found', async () => {
    for (const value of ["'; DROP TABLE service_users; --", '%', '_', '\\', '$1', '"', "\\%_'"]) {
      const made = await world.as('mia').post('/users?fields=id', { first_name: value });
      for (const operator of ['_eq', '_contains', '_istarts_with', '_ends_with']) {
        const filter = json({ first_name: { [operator]: value } });
        const found = await world.as('mia').get(`/users?fields=id&filter=${filter}`);
        expect([operator, value, found.data]).toEqual([operator, value, [made.data]]);
      }
      const search = await world
        .as('mia')
        .get(`/users?fields=id&search=${encodeURIComponent(value)}`);
      expect(search.data).toContainEqual(made.data);
      await world.restore();
    }
  });
});
