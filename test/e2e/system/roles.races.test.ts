import { type SeedData, seed, type World } from '../../factories';
import { startTestApp } from '../../support';

const SEED: SeedData = { roles: { one: {}, two: {}, three: {} } };

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());

describe('changes of parents at the same time', () => {
  it.each([1, 2, 3, 4, 5])('never create a circle together (%i)', async () => {
    const admin = world.as('admin');
    const move = (role: string, parent: string) =>
      admin.patch(world.fill(`/roles/<${role}>`), world.fill({ parent: `<${parent}>` }));
    const replies = await Promise.all([
      move('one', 'two'),
      move('two', 'three'),
      move('three', 'one'),
    ]);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, codes }) => [status, codes])).toEqual([
      [400, ['INVALID_PAYLOAD']],
    ]);
    const roles = (await world.state())['service_roles'] ?? [];
    expect(roles.filter(({ parent }) => parent !== null)).toHaveLength(2);
    await world.restore();
  });
});
