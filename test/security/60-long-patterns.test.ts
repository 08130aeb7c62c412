import { type SeedData, read, seed, type World } from '../factories';
import { startTestApp } from '../support';

const LONG = 'a'.repeat(1_001);
const LONGEST = LONG.slice(1);

/** Users see their own description and role, and the first names of the users who pass the test. */
const watching = (test: object) => [
  read('service_users', ['description', 'role'], { id: { _eq: '$CURRENT_USER' } }),
  read('service_users', ['first_name'], test),
];

const MINE = '$CURRENT_USER.description';
const HER_ROLE = { role: { users: { _none: { description: { _ncontains: MINE } } } } };

const cast: SeedData = {
  policies: {
    reading: [
      read('service_users', ['description', 'first_name', 'role']),
      read('service_roles', ['*']),
    ],
    containing: watching({ description: { _contains: MINE } }),
    sparing: watching({ description: { _ncontains: MINE } }),
    withoutAny: watching(HER_ROLE),
    several: watching({ _and: Array<object>(6).fill({ description: { _ncontains: MINE } }) }),
  },
  roles: { team: {} },
  users: {
    ann: { policies: ['reading'] },
    bob: { role: 'team' },
    con: { policies: ['containing'] },
    spa: { policies: ['sparing'] },
    wit: { policies: ['withoutAny'] },
    sev: { policies: ['several'] },
  },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), cast);
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const search = (query: object) => world.as('ann').send('SEARCH', '/users', { query });

const describeAs = async (user: string, description: string): Promise<void> => {
  const path = `/users/${world.id(user)}`;
  expect((await world.as('admin').patch(path, { description })).status).toBe(200);
};

describe('60: a long text that is searched for within others', () => {
  it.each([
    ...['_contains', '_ncontains', '_icontains', '_nicontains'],
    ...['_starts_with', '_nstarts_with', '_istarts_with', '_nistarts_with'],
    ...['_ends_with', '_nends_with', '_iends_with', '_niends_with'],
  ])('is refused: %s', async (operator) => {
    const filtered = (text: string) => search({ filter: { description: { [operator]: text } } });
    const reply = await filtered(LONG);
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(reply.text).toContain(`filter.description.${operator}`);
    expect((await filtered(LONGEST)).status).toBe(200);
  });

  it('is measured in characters, of which some take two units of UTF-16', async () => {
    const filtered = (text: string) => search({ filter: { description: { _contains: text } } });
    const statuses = [search({ search: '😀'.repeat(1_000) }), filtered('😀'.repeat(1_000))];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await filtered('😀'.repeat(1_001))).codes).toEqual(['INVALID_QUERY']);
  });

  it('is refused as a search', async () => {
    const reply = await search({ search: LONG });
    expect([reply.codes, reply.text]).toEqual([
      ['INVALID_QUERY'],
      expect.stringContaining('"search"'),
    ]);
    expect((await search({ search: LONGEST })).status).toBe(200);
  });

  it('is refused over GraphQL, and for the rows of a write', async () => {
    const filter = { description: { _contains: LONG } };
    const asked = await world
      .as('ann')
      .graphql(
        'query ($f: users_filter) { users(filter: $f) { id } }',
        { f: filter },
        '/graphql/system',
      );
    const written = await world
      .as('admin')
      .patch('/users', { query: { filter }, data: { title: 'x' } });
    expect([asked.codes, written.codes]).toEqual([['INVALID_QUERY'], ['INVALID_QUERY']]);
  });

  it('is refused in several parts too, wherever they are in a query', async () => {
    const part = { description: { _contains: LONGEST } };
    const parts = (count: number) => ({ _or: Array<object>(count).fill(part) });
    const below = (count: number) => ({
      fields: ['role.users.id'],
      deep: { role: { users: { _filter: parts(count) } } },
    });
    const sizes = [
      { filter: parts(6) },
      { filter: parts(5), search: 'x' },
      { filter: parts(3), ...below(3) },
      { filter: parts(6), aggregate: { count: '*' } },
    ];
    for (const query of sizes) expect((await search(query)).codes).toEqual(['INVALID_QUERY']);
    expect((await search({ filter: parts(5) })).status).toBe(200);
    expect((await search({ filter: parts(2), ...below(3) })).status).toBe(200);
  });
});

describe('60: a long text that a variable of a query stands for', () => {
  const containing = (count = 1) => ({
    filter: { _or: Array<object>(count).fill({ first_name: { _contains: MINE } }) },
  });

  it('is refused', async () => {
    await describeAs('ann', LONG);
    const reply = await search(containing());
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(reply.text).toContain('filter.first_name');
  });

  it('is counted as often as it is searched for', async () => {
    await describeAs('ann', LONGEST);
    expect((await search(containing(5))).status).toBe(200);
    expect((await search(containing(6))).codes).toEqual(['INVALID_QUERY']);
    const { filter } = containing(5);
    expect((await search({ filter, search: 'x' })).codes).toEqual(['INVALID_QUERY']);
  });
});

describe('60: a long text in a rule', () => {
  const names = async (user: string): Promise<unknown> =>
    (await world.as(user).get('/users?fields=first_name&filter[first_name][_nnull]=true')).data;

  it.each([
    ['a positive operator', 'con', 'a', LONG],
    ['a negative operator', 'spa', 'c', LONG],
    ['an operator under _none', 'wit', 'a', LONG],
    ['six operators that are too much together', 'sev', 'c', LONGEST.replace('a', 'c')],
  ])('grants nothing where a variable stands for it: %s', async (_, user, short, long) => {
    await world.as('admin').patch(`/users/${world.id('bob')}`, { first_name: 'Bob' });
    await describeAs('bob', `${LONG}b`);
    await describeAs(user, short);
    expect(await names(user)).toContainEqual({ first_name: 'Bob' });
    await describeAs(user, long);
    expect(await names(user)).toEqual([]);
  });

  it('is refused if a rule contains it literally', async () => {
    const rule = (operand: string) => ({
      ...{ policy: world.id('reading'), collection: 'service_users', action: 'read' },
      ...{ fields: ['title'], permissions: { title: { _icontains: operand } } },
    });
    const refused = await world.as('admin').post('/permissions', rule(LONG));
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('permissions.title._icontains'),
    ]);
    expect((await world.as('admin').post('/permissions', rule(LONGEST))).status).toBe(200);
  });
});
