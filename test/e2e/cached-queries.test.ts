import { plainStatements } from '../../src/repository';
import { OWN_USER, read, seed, type World } from '../factories';
import { type Reply, startTestApp } from '../support';

/** What depends only on rules and names of fields is compiled once for all users with the same rules. */
let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), {
    policies: {
      seeing: [read('service_users', ['email', 'first_name', 'policies'])],
      own: [read('service_users', ['email']), read('service_users', ['first_name'], OWN_USER)],
      naming: [read('service_users', ['email'])],
    },
    users: {
      amy: { policies: ['seeing'], first_name: 'Amy' },
      ben: { policies: ['own'], first_name: 'Ben' },
      cat: { policies: ['naming'], first_name: 'Cat' },
    },
  });
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

it('What is cached for decisions is dropped with them', async () => {
  const path = '/users?fields=first_name,email&limit=3';
  for (let round = 0; round < 3; round += 1) await world.as('amy').get(path);
  const kept = [...plainStatements.keys()];
  expect(kept).toContainEqual(expect.stringMatching(/ first_name,email/));
  const changed = { fields: ['email', 'first_name'] };
  const rule = world.fill('/permissions/<seeing#1>');
  expect((await world.as('admin').patch(rule, changed)).status).toBe(200);
  expect(kept.filter((name) => plainStatements.has(name))).toEqual([]);
  expect((await world.as('amy').get(path)).data).toHaveLength(3);
});

type Ask = (caller: string) => Promise<Reply>;
type Row = Readonly<Record<string, unknown>>;

const rest: Ask = (caller) => world.as(caller).get('/users?fields=email,first_name&limit=10');
const graphql: Ask = (caller) =>
  world.as(caller).graphql('{ users(limit: 10) { email first_name } }', {}, '/graphql/system');
const item: Ask = (caller) =>
  world.as(caller).get(`/users/${world.fill('<amy>')}?fields=email,first_name`);

function rowsOf({ data }: Reply): Row[] {
  const found = data as unknown as Row | Row[] | { readonly users: Row[] };
  if (Array.isArray(found)) return found;
  return 'users' in found ? (found.users as Row[]) : [found as Row];
}

/** The first names of all users whom the caller sees, or the code of the refusal. */
async function seen(ask: Ask, caller: string): Promise<string> {
  const reply = await ask(caller);
  const names = (): string[] => rowsOf(reply).map(({ first_name }) => String(first_name));
  return reply.codes.length > 0 ? reply.codes.join() : names().toSorted().join(' ');
}

describe.each([
  ['a list by REST', rest, 'Administrator Amy Ben Cat', 'Ben null null null'],
  ['a list by GraphQL', graphql, 'Administrator Amy Ben Cat', 'Ben null null null'],
  ['an item', item, 'Amy', 'null'],
])('%s that names fields', (_, ask, all, own) => {
  it('gives each caller the same answer every time, by their own rules', async () => {
    for (let round = 0; round < 4; round += 1) {
      expect([await seen(ask, 'amy'), await seen(ask, 'ben'), await seen(ask, 'cat')]).toEqual([
        all,
        own,
        'FORBIDDEN',
      ]);
    }
  });

  it('follows a rule that changes', async () => {
    for (let round = 0; round < 3; round += 1) expect(await seen(ask, 'amy')).toBe(all);
    const change = async (fields: readonly string[]): Promise<void> => {
      const reply = await world
        .as('admin')
        .patch(world.fill('/permissions/<seeing#1>'), { fields });
      expect(reply.status).toBe(200);
    };
    await change(['email']);
    for (let round = 0; round < 3; round += 1) expect(await seen(ask, 'amy')).toBe('FORBIDDEN');
    await change(['email', 'first_name']);
    for (let round = 0; round < 3; round += 1) expect(await seen(ask, 'amy')).toBe(all);
  });
});

it('each request decides on its own page and order of names', async () => {
  const ask = async (query: string) =>
    (await world.as('amy').get(`/users?${query}`)).data as unknown as Row[];
  const whole = await ask('fields=email&limit=10');
  for (const [limit, page] of [
    [1, 2],
    [2, 1],
    [2, 2],
    [10, 1],
  ] as const) {
    const rows = await ask(`fields=email&limit=${limit}&page=${page}`);
    expect(rows).toEqual(whole.slice((page - 1) * limit, page * limit));
  }
  const [row = {}] = await ask('fields=first_name,email&limit=1');
  expect(Object.keys(row)).toEqual(['first_name', 'email']);
});

it('a list that is requested by its name shows the keys of its rows, as without a cache', async () => {
  for (let round = 0; round < 3; round += 1) {
    const reply = await world.as('amy').get('/users?fields=email,policies&limit=10');
    expect(rowsOf(reply)).toHaveLength(4);
    for (const row of rowsOf(reply)) expect(row['policies']).toEqual(expect.any(Array));
  }
});
