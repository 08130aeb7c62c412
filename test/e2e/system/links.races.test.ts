import { type SeedData, seed, type World } from '../../factories';
import { type Reply, replyAfterWait, startTestApp, describeOnPostgres } from '../../support';

const SEED: SeedData = {
  policies: { granted: [] },
  roles: { staff: {} },
  users: { ann: { role: 'staff' } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const patch = (path: string, body: object): Promise<Reply> =>
  world.as('admin').patch(world.fill(path), world.fill(body));

/** Attaches the policy in another transaction, which commits once the request waits for it. */
function whileAttached(holder: 'user' | 'role', send: () => Promise<Reply>): Promise<Reply> {
  const keys = [world.fill('<granted>'), world.fill(holder === 'user' ? '<ann>' : '<staff>')];
  const attach = `INSERT INTO service_access (policy, "${holder}") VALUES ($1::uuid, $2::uuid)`;
  return replyAfterWait(world.app.database, (tx) => tx.query(attach, keys), send);
}

// The embedded database has one connection: there, nothing waits for anything else.
describeOnPostgres('A policy that another request attaches at the same time', () => {
  it.each<['user' | 'role', string, object]>([
    ['user', '/users/<ann>', { policies: ['<granted>'] }],
    ['user', '/users/<ann>', { policies: { create: ['<granted>'] } }],
    ['user', '/policies/<granted>', { users: ['<ann>'] }],
    ['role', '/roles/<staff>', { policies: ['<granted>'] }],
    ['role', '/policies/<granted>', { roles: ['<staff>'] }],
  ])(
    'is attached once, and nothing is refused: to a %s, by PATCH %s',
    async (holder, path, body) => {
      const { status, codes } = await whileAttached(holder, () => patch(path, body));
      expect([status, codes]).toEqual([200, []]);
      const attached = await world.app.database.query(
        'SELECT 1 FROM service_access WHERE policy = $1::uuid',
        [world.fill('<granted>')],
      );
      expect(attached).toHaveLength(1);
    },
  );

  it('is refused where the row itself is sent', async () => {
    const send = (): Promise<Reply> =>
      world.as('admin').post('/access', world.fill({ policy: '<granted>', user: '<ann>' }));
    const { status, codes } = await whileAttached('user', send);
    expect([status, codes]).toEqual([400, ['RECORD_NOT_UNIQUE']]);
  });
});
