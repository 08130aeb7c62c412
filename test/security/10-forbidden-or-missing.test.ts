import { type SeedData, OWN_USER, read, remove, seed, update, type World } from '../factories';
import { recordStatements, type Reply, startTestApp } from '../support';
import { seenOf } from './compare';

const SEED: SeedData = {
  policies: {
    self: [
      read('service_users', ['email', 'role', 'first_name'], OWN_USER),
      update('service_users', ['first_name', 'role'], OWN_USER),
      remove('service_users', OWN_USER),
    ],
  },
  roles: { dark: {} },
  users: { spy: { policies: ['self'] }, amy: { last_name: 'Birch' } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

/** Ids that no item has: one in a valid form, others malformed. */
const MISSING = '00000000-0000-4000-8000-000000000000';

interface Seen {
  readonly reply: object;
  /** The statements that the database received: they determine the duration that an observer could measure. */
  readonly asked: readonly string[];
}

async function look(ask: (name: string) => Promise<Reply>, name: string): Promise<Seen> {
  await ask(name);
  const recorded = recordStatements(world.app.database);
  const reply = await ask(name).finally(() => recorded.stop());
  expect([reply.status, reply.codes]).toEqual([403, ['FORBIDDEN']]);
  return { reply: seenOf(reply, name), asked: recorded.statements.map(({ text }) => text) };
}

async function expectTwins(
  ask: (name: string) => Promise<Reply>,
  hidden: string,
  missing: string,
): Promise<void> {
  const before = await world.state();
  const seen = await look(ask, world.fill(hidden));
  expect(seen).toEqual(await look(ask, missing));
  expect(await world.state()).toEqual(before);
}

const spy = () => world.as('spy');

describe('10: a hidden thing and a missing one', () => {
  it.each<[string, (id: string) => Promise<Reply>]>([
    ['to read', (id) => spy().get(`/users/${id}`)],
    ['to read with counts', (id) => spy().get(`/users/${id}?meta=*`)],
    ['to change', (id) => spy().patch(`/users/${id}`, { first_name: 'X' })],
    ['to change nothing of', (id) => spy().patch(`/users/${id}`, {})],
    [
      'to change, among others',
      (id) => spy().patch('/users', { keys: [world.id('spy'), id], data: { first_name: 'X' } }),
    ],
    ['to change, each of several', (id) => spy().patch('/users', [{ id, first_name: 'X' }])],
    ['to delete', (id) => spy().delete(`/users/${id}`)],
    ['to delete, among others', (id) => spy().delete('/users', [world.id('spy'), id])],
  ])('are the same item %s', async (_, ask) => {
    await expectTwins(ask, '<amy>', MISSING);
  });

  it.each(['nonsense', '1', '%00', "'--"])(
    'are the same item as %s, which is not an id',
    async (id) => {
      const [hidden, other] = [
        await spy().get(world.fill('/users/<amy>')),
        await spy().get(`/users/${encodeURIComponent(id)}`),
      ];
      expect(seenOf(hidden, '')).toEqual(seenOf(other, ''));
    },
  );

  it.each<[string, (name: string) => Promise<Reply>]>([
    ['to show', (name) => spy().get(`/users?fields=${name}`)],
    ['to show of one', (name) => spy().get(world.fill(`/users/<spy>?fields=${name}`))],
    ['to open', (name) => spy().get(`/users?fields=${name}.name`)],
    ['to filter by', (name) => spy().get(`/users?filter[${name}][_eq]=x`)],
    ['to sort by', (name) => spy().get(`/users?sort=${name}`)],
    ['to rename', (name) => spy().get(`/users?fields=x&alias[x]=${name}`)],
    ['to set', (name) => spy().patch(world.fill('/users/<spy>'), { [name]: 'x' })],
    [
      'to set to an invalid value',
      (name) => spy().patch(world.fill('/users/<spy>'), { [name]: { x: [] } }),
    ],
    [
      'to set along with a mistake',
      (name) => spy().patch(world.fill('/users/<spy>'), { first_name: 7, [name]: 'x' }),
    ],
    [
      'to answer with',
      (name) => spy().patch(world.fill(`/users/<spy>?fields=${name}`), { first_name: 'x' }),
    ],
    [
      'to choose rows by',
      (name) => spy().delete('/users', { query: { filter: { [name]: { _null: true } } } }),
    ],
  ])('are the same field %s', async (_, ask) => {
    for (const name of ['last_name', 'policies', 'password'])
      await expectTwins(ask, name, 'nonsense');
  });

  it('are the same target of a foreign key', async () => {
    const ask = (role: string) => spy().patch(world.fill('/users/<spy>'), { role });
    const [hidden, missing] = [await ask(world.fill('<dark>')), await ask(MISSING)];
    expect([hidden.status, hidden.codes]).toEqual([400, ['INVALID_FOREIGN_KEY']]);
    expect(hidden.text).toBe(missing.text);
  });

  it('are the same collection in a report on an item', async () => {
    const [hidden, missing] = [
      await spy().get(world.fill('/permissions/me/service_roles/<dark>')),
      await spy().get(world.fill('/permissions/me/nonsense/<dark>')),
    ];
    expect(hidden.status).toBe(200);
    expect(hidden.text).toBe(missing.text);
  });

  it('are the same variable', async () => {
    const ask = (name: string) => spy().get(`/users?filter[email][_eq]=$CURRENT_USER.${name}`);
    await expectTwins(ask, 'last_name', 'nonsense');
    await expectTwins(ask, 'password', 'nonsense');
  });

  it('cannot be distinguished by a duplicate: a constraint is reported only where the write was allowed', async () => {
    const body = (email: string) => ({ email, first_name: 'x' });
    const [taken, free] = [
      await spy().patch(world.fill('/users/<spy>'), body('amy@example.com')),
      await spy().patch(world.fill('/users/<spy>'), body('nobody-has@example.com')),
    ];
    expect(taken.status).toBe(403);
    expect(taken.text).toBe(free.text);
  });
});
