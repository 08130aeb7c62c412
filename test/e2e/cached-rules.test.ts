import { seed, type World } from '../factories';
import { startTestApp, type TestClient } from '../support';
import { CHANGES } from './cached-rules.cases';
import { ALL, assignPolicies, NOTHING, SEED, type Step } from './cached-rules.fixtures';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const admin = (): TestClient => world.as('admin');

/** How many users the caller sees, and which fields; `nothing` if that is refused. */
async function visible(caller: string | null): Promise<string> {
  const reply = await world.as(caller).get('/users?meta=total_count');
  if (reply.status === 403) return 'nothing';
  const [row = {}] = reply.data as unknown as object[];
  const { total_count } = (reply.body as { meta: { total_count: number } }).meta;
  return `${total_count}: ${Object.keys(row).toSorted().join(' ')}`;
}

const perform = async ([method, path, body]: Step): Promise<void> => {
  const reply = await admin()[method](world.fill(path), world.fill(body));
  if (reply.status >= 300) throw new Error(reply.text);
};

describe('a change of rights takes effect with the next request', () => {
  test.each(CHANGES)('$it', async ({ caller = 'amy', given = [], before, change, after }) => {
    for (const step of given) await perform(step);
    expect(await visible(caller)).toBe(before);
    await perform(change);
    expect(await visible(caller)).toBe(after);
  });

  it('even while other requests are running', async () => {
    await perform(assignPolicies(['<seeing>']));
    for (let round = 0; round < 10; round += 1) {
      const noise = Array.from({ length: 5 }, () => visible('amy'));
      await perform(['patch', '/permissions/<seeing#1>', { action: round % 2 ? 'read' : 'share' }]);
      expect(await visible('amy')).toBe(round % 2 ? ALL : NOTHING);
      await Promise.all(noise);
    }
  });

  it('but not if the change was refused', async () => {
    await perform(assignPolicies(['<seeing>']));
    const body = [
      { id: '<seeing#1>', action: 'share' },
      { id: '<naming#1>', action: 'fly' },
    ];
    expect((await admin().patch('/permissions', world.fill(body))).status).toBe(400);
    expect(await visible('amy')).toBe(ALL);
  });

  it('both in permission reports and in what is allowed', async () => {
    await perform(assignPolicies(['<naming>']));
    const report = async (): Promise<unknown> =>
      (await world.as('amy').get(world.fill('/permissions/me/service_users/<amy>'))).data['update'];
    expect(await report()).toEqual({ access: true });
    await perform(['delete', '/permissions/<naming#2>']);
    expect(await report()).toEqual({ access: false });
    const patched = await world.as('amy').patch(world.fill('/users/<amy>'), { first_name: 'X' });
    expect(patched.codes).toEqual(['FORBIDDEN']);
  });
});
