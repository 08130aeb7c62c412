import { read, seed, type World } from '../../factories';
import { recordWrites, startTestApp } from '../../support';

const FEW = 4;
const MANY = 300;

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp(), {
    policies: { readers: [read('service_roles', ['name'])] },
    users: { ann: { policies: ['readers'] } },
  });
});

afterAll(() => world.app.close());
afterEach(() => world.restore());

const rules = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    policy: world.id('readers'),
    collection: 'service_users',
    action: 'read',
    permissions: { first_name: { _eq: `Ann ${index}` } },
    fields: ['first_name'],
  }));

/** What the administrator sends, with the number of statements in its transaction. */
async function countStatements(send: () => Promise<{ status: number }>): Promise<number> {
  const recorded = recordWrites(world.app.database);
  const { status } = await send();
  recorded.stop();
  expect(status).toBe(200);
  return recorded.texts.length;
}

it('many rules are created by as many statements as a few', async () => {
  const admin = world.as('admin');
  const create = (count: number): Promise<number> =>
    countStatements(() => admin.post('/permissions', rules(count)));
  // What the first write asks about the table is cached.
  await create(FEW);
  const [few, many] = [await create(FEW), await create(MANY)];
  expect(many).toBe(few);
  const ann = await world.as('ann').get('/permissions/me');
  expect(ann.data).toMatchObject({ service_users: { read: { fields: ['id', 'first_name'] } } });
  const [stored] = await world.app.database.query<{ marked: string }>(
    `SELECT count(*) AS marked FROM service_permissions WHERE marks->'names' ? 'service_users.first_name'`,
  );
  expect(Number(stored?.marked)).toBe(2 * FEW + MANY);
});

it('many rules are changed by as many statements as a few, each for its own fields', async () => {
  const admin = world.as('admin');
  const made = await admin.post<{ id: number }[]>('/permissions?fields=id', rules(MANY));
  const ids = made.data.map(({ id }) => id);
  const change = (some: readonly number[]): Promise<number> =>
    countStatements(() =>
      admin.patch('/permissions', {
        keys: some,
        data: { permissions: { last_name: { _eq: 'Lee' } }, fields: ['last_name'] },
      }),
    );
  const [few, many] = [await change(ids.slice(0, FEW)), await change(ids.slice(FEW))];
  expect(many).toBe(few);
  const [stored] = await world.app.database.query<{ marked: string }>(
    `SELECT count(*) AS marked FROM service_permissions
     WHERE marks->'names' ? 'service_users.last_name' AND NOT marks->'names' ? 'service_users.first_name'`,
  );
  expect(Number(stored?.marked)).toBe(MANY);
});
