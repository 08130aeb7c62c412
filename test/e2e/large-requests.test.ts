import { seed, type World } from '../factories';
import { type Reply, startTestApp } from '../support';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp());
});

afterAll(() => world.app.close());

const roles = (count: number): object[] => Array.from({ length: count }, () => ({ name: 'r' }));

/** Expects a refusal of the whole request, with nothing created. */
async function expectRefused(reply: Reply, reason: string): Promise<void> {
  expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  expect(reply.text).toContain(reason);
  const made = await world.as('admin').get('/roles?filter[name][_eq]=r&fields=id');
  expect(made.data).toEqual([]);
}

it('creates 2,500 items at once and not one more', async () => {
  await expectRefused(await world.as('admin').post('/roles', roles(2_501)), 'at most 2500 items');
  const reply = await world.as('admin').post('/roles?fields=id', roles(2_500));
  expect(reply.data).toHaveLength(2_500);
  await world.restore();
});

it.each<[string, () => unknown]>([
  ['in one list', () => ({ name: 'r', children: roles(2_501) })],
  ['under create', () => ({ name: 'r', children: { create: roles(2_501) } })],
  ['in several lists', () => roles(3).map((role) => ({ ...role, children: roles(900) }))],
  [
    'nested in each other',
    () => ({ name: 'r', children: roles(60).map((role) => ({ ...role, children: roles(45) })) }),
  ],
])('creates no more than 2,500 related items, %s', async (_, body) => {
  await expectRefused(await world.as('admin').post('/roles', body()), '2500 related items');
});

it('reads no more than 10,000 operands in the filters of a query', async () => {
  const list = { name: { _in: Array.from({ length: 4_000 }, (_, at) => `${at}`) } };
  const query = (names: readonly string[]): object => ({
    query: {
      alias: Object.fromEntries(names.map((name) => [name, 'policies'])),
      fields: names.map((name) => `${name}.id`),
      deep: Object.fromEntries(names.map((name) => [name, { _filter: list }])),
    },
  });
  const two = await world.as('admin').send('SEARCH', '/users', query(['a', 'b']));
  expect(two.status).toBe(200);
  const three = await world.as('admin').send('SEARCH', '/users', query(['a', 'b', 'c']));
  expect([three.status, three.codes]).toEqual([400, ['INVALID_QUERY']]);
});
