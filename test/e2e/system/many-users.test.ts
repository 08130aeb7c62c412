import { Passwords } from '../../../src/users';
import { type SeedData, read, seed, type World } from '../../factories';
import { recordWrites, onPostgres, startTestApp } from '../../support';

/** More than are processed at once. */
const MANY = onPostgres() ? 12_000 : 6_000;

const SEED: SeedData = {
  policies: { open: [read('service_roles', ['name'])] },
  roles: { crowd: { policies: ['open'] }, child: { parent: 'crowd' } },
  users: { ann: { role: 'crowd' } },
};

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const row = (index: number): object => ({
  email: `user${index}@example.com`,
  password: `a long one for ${index}`,
});

const countOf = async (path: string): Promise<unknown> => {
  const { data } = await world.as('admin').get(`${path}aggregate[count]=*`);
  return (data as unknown as { count: number }[])[0]?.count;
};

describe('1,000 users at once', () => {
  const body = Array.from({ length: 1_000 }, (_, index) => row(index));

  it('are created in one transaction, which begins when all passwords are hashed', async () => {
    const passwords = world.app.app.get(Passwords, { strict: false });
    const recorded = recordWrites(world.app.database);
    const hash = passwords.hash.bind(passwords);
    const begunAt: number[] = [];
    const spy = jest.spyOn(passwords, 'hash').mockImplementation((password, whom) => {
      begunAt.push(recorded.texts.length);
      return hash(password, whom);
    });
    const transactions = jest.spyOn(world.app.database, 'transaction');
    const reply = await world.as('admin').post('/users?fields=email', body);
    const begun = transactions.mock.calls.length;
    for (const each of [spy, transactions]) each.mockRestore();
    recorded.stop();
    expect([reply.status, (reply.data as unknown as object[]).length]).toEqual([200, 1_000]);
    expect([begun, begunAt.length, Math.max(...begunAt)]).toEqual([1, 1_000, 0]);
    const [stored] = await world.app.database.query<{ password: string }>(
      `SELECT password FROM service_users WHERE email = 'user7@example.com'`,
    );
    expect(await passwords.matches('a long one for 7', stored?.password ?? null)).toBe(true);
  });

  it('are all refused if one is wrong, nested in a role or not', async () => {
    const [first = {}] = body;
    const wrong = [...body.slice(0, 20), first];
    for (const [path, sent] of [
      ['/users', wrong],
      ['/roles', { name: 'new', users: wrong }],
    ] as const) {
      const reply = await world.as('admin').post(path, sent);
      expect([reply.status, reply.codes]).toEqual([400, ['RECORD_NOT_UNIQUE']]);
      expect(await world.state()).toEqual(world.start);
    }
  });

  it('are not hashed if the caller may not create them', async () => {
    const passwords = world.app.app.get(Passwords, { strict: false });
    const spy = jest.spyOn(passwords, 'hash');
    const replies = [
      await world.as('ann').post('/users', body),
      await world.as(null).post('/users', body),
    ];
    expect(replies.map(({ codes }) => codes)).toEqual([['FORBIDDEN'], ['FORBIDDEN']]);
    expect(spy.mock.calls).toHaveLength(0);
    spy.mockRestore();
  });

  it('are hashed only once in an update with the same password', async () => {
    const passwords = world.app.app.get(Passwords, { strict: false });
    await world.as('admin').post('/users', [row(1), row(2), row(3)]);
    const spy = jest.spyOn(passwords, 'hash');
    const query = { filter: { email: { _starts_with: 'user' } } };
    const data = { password: 'another-long-one' };
    const reply = await world.as('admin').patch('/users', { query, data });
    expect([reply.status, spy.mock.calls.length]).toEqual([200, 1]);
    spy.mockRestore();
  });
});

describe(`a role with ${MANY} users`, () => {
  /** Besides the users, the log lists the role's child and its access row. */
  const OTHERS = 2;
  const loggedUpdates = async (): Promise<number> =>
    Number(
      await countOf('/activity?filter[collection][_eq]=service_users&filter[action][_eq]=update&'),
    );
  const fill = async (): Promise<void> => {
    await world.app.database.query(
      `INSERT INTO service_users (email, role) SELECT 'crowd' || each, $1::uuid FROM generate_series(1, ${MANY}) each`,
      [world.id('crowd')],
    );
  };

  it('is read without them, or with as many as a page holds', async () => {
    await fill();
    const admin = world.as('admin');
    const one = await admin.get(world.fill('/roles/<crowd>'));
    expect(Object.keys(one.data)).not.toContain('users');
    const opened = await admin.get(world.fill('/roles/<crowd>?fields=users'));
    expect((opened.data['users'] as unknown[]).length).toBe(100);
    const counted = await admin.get(world.fill('/users?filter[role][_eq]=<crowd>&limit=1&meta=*'));
    expect(counted.body).toMatchObject({ meta: { filter_count: MANY + 1 } });
  });

  it('is deleted by a few statements, and they then have no role', async () => {
    await fill();
    const before = await loggedUpdates();
    expect((await world.as('ann').get('/roles?fields=name')).status).toBe(200);
    const recorded = recordWrites(world.app.database);
    const reply = await world.as('admin').delete(world.fill('/roles/<crowd>'));
    recorded.stop();
    expect(reply.status).toBe(204);
    expect(recorded.texts.length).toBeLessThan(40);
    // The log lists only a limited number of rows.
    expect(await loggedUpdates()).toBe(before + 2_500 - OTHERS);
    expect(await countOf('/users?filter[role][_nnull]=true&')).toBe(1);
    expect(await countOf('/access?filter[role][_nnull]=true&')).toBe(1);
    const child = await world.as('admin').get(world.fill('/roles/<child>?fields=parent'));
    expect(child.data).toEqual({ parent: null });
    expect((await world.as('ann').get('/roles?fields=name')).codes).toEqual(['FORBIDDEN']);
  });
});

describe(`a policy that ${MANY} users have`, () => {
  it('is deleted with its rules and access rows', async () => {
    await world.app.database.query(
      `WITH made AS (
        INSERT INTO service_users (email) SELECT 'holder' || each FROM generate_series(1, ${MANY}) each RETURNING id
      ) INSERT INTO service_access (policy, "user") SELECT $1::uuid, id FROM made`,
      [world.id('open')],
    );
    const recorded = recordWrites(world.app.database);
    const reply = await world.as('admin').delete(world.fill('/policies/<open>'));
    recorded.stop();
    expect([reply.status, recorded.texts.length < 40]).toEqual([204, true]);
    expect(await countOf(world.fill('/access?filter[policy][_eq]=<open>&'))).toBe(0);
    expect(await countOf(world.fill('/permissions?filter[policy][_eq]=<open>&'))).toBe(0);
    expect((await world.as('ann').get('/roles?fields=name')).codes).toEqual(['FORBIDDEN']);
  });
});
