import { type SeedData, read, remove } from '../../factories';
import { type BoardWorld, openBoards } from './board-world';
import { brief, done } from './entries';

const SEED: SeedData = {
  policies: {
    open: [],
    disposing: [remove('boards'), read('boards', ['name']), read('cards', ['title'])],
  },
  roles: { crowd: { policies: ['open'] }, child: { parent: 'crowd' }, grand: { parent: 'child' } },
  users: { lou: { policies: ['disposing'] }, ann: { role: 'crowd', policies: ['open'] } },
};

let world: BoardWorld;

beforeAll(async () => {
  world = await openBoards(SEED);
}, 120_000);

afterAll(() => world.app.close());

describe('The log of the deletion of', () => {
  afterEach(() => world.restore());

  it('a role: its users and child roles lose it, and its attachments are deleted', async () => {
    const entries = await world.logged(() =>
      done(world.as('admin').delete(world.fill('/roles/<crowd>'))),
    );
    const crowd = world.id('crowd');
    expect(brief(entries)[0]).toEqual(['delete', 'service_roles', crowd]);
    expect(entries).toHaveLength(4);
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ action: 'update', collection: 'service_users', item: world.id('ann') },
          ...{ fields: ['role'], before: { role: crowd }, after: { role: null } },
        }),
        expect.objectContaining({
          ...{ action: 'update', collection: 'service_roles', item: world.id('child') },
          ...{ fields: ['parent'], before: { parent: crowd }, after: { parent: null } },
        }),
        expect.objectContaining({
          ...{ action: 'delete', collection: 'service_access' },
          before: expect.objectContaining({ role: crowd }) as object,
        }),
      ]),
    );
  });

  it('a policy: its attachments and rules are deleted', async () => {
    const entries = await world.logged(() =>
      done(world.as('admin').delete(world.fill('/policies/<disposing>'))),
    );
    const kinds = entries.map(
      ({ action, collection }) => `${String(action)} ${String(collection)}`,
    );
    expect(kinds[0]).toBe('delete service_policies');
    expect(kinds.filter((each) => each === 'delete service_permissions')).toHaveLength(3);
    expect(kinds.filter((each) => each === 'delete service_access')).toHaveLength(1);
    expect(kinds).toHaveLength(5);
  });

  it('a user: their attachments are deleted, and their sessions are not shown', async () => {
    expect((await world.as('ann').get('/users/me')).status).toBe(200);
    const entries = await world.logged(() =>
      done(world.as('admin').delete(world.fill('/users/<ann>'))),
    );
    expect(entries.map(({ action, collection }) => [action, collection])).toEqual([
      ['delete', 'service_users'],
      ['delete', 'service_access'],
    ]);
  });
});
