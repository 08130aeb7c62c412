import { comment, create, read, remove, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { recordWrites, type Reply, startTestApp } from '../../support';

const FEW = 5;
const MANY = 40;
/** What the first write asks about a table is cached. */
const COUNTS = [FEW, FEW, MANY];

const SYSTEM = ['users', 'roles', 'policies', 'access', 'permissions', 'comments'].map(
  (name) => `service_${name}`,
);

let world: World;

beforeAll(async () => {
  const writing = SYSTEM.flatMap((name) => [
    read(name, ['*']),
    create(name, ['*']),
    update(name, ['*']),
    remove(name),
  ]);
  world = await seed(await startTestApp({ imports: [SampleModule] }), {
    policies: {
      managing: [...writing, read('articles', ['*']), comment('articles', ['*'])],
      tagging: [read('tags', ['*']), update('tags', ['*'])],
    },
    roles: { crew: {} },
    users: { meg: { policies: ['managing', 'tagging'] } },
  });
  await world.as('admin').post('/items/articles', { title: 'First' });
});

afterAll(() => world.app.close());

/** Rows that are stored one by one, since each is prepared by hooks. */
const STORES = /^(INSERT INTO "service_(users|access)"|UPDATE "service_(users|access)")/;

/** How many statements a request sends in its transaction, without those that store single rows. */
async function counted(send: () => Promise<Pick<Reply, 'status' | 'text'>>): Promise<number> {
  const recorded = recordWrites(world.app.database);
  const reply = await send();
  recorded.stop();
  if (reply.status >= 300) throw new Error(reply.text);
  const texts = [...recorded.texts, ...recorded.tables];
  return texts.filter((text) => !STORES.test(text.trim())).length;
}

interface Rows {
  readonly path: string;
  make(count: number): Promise<object[]>;
  change(index: number): object;
  readonly same: object;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
let made = 0;
const email = (): string => `person${(made += 1)}@example.com`;
const times = (count: number, make: () => object): Promise<object[]> =>
  Promise.resolve(numbers(count).map(() => world.fill(make()) as object));
const users = (count: number): Promise<{ id: string }[]> =>
  world.app.database.query(
    `INSERT INTO service_users (email) SELECT gen_random_uuid() || '@example.com' FROM generate_series(1, $1::int4) RETURNING id`,
    [count],
  );

const ROWS: Record<string, Rows> = {
  users: {
    path: '/users',
    make: (count) => times(count, () => ({ email: email(), status: 'unverified' })),
    change: (at) => ({
      ...{ last_name: `Lee ${at}`, status: 'active', role: '<crew>' },
      ...{ provider: 'default', tfa_secret: null },
    }),
    same: { status: 'suspended', provider: 'default', tfa_secret: null },
  },
  roles: {
    path: '/roles',
    make: (count) => times(count, () => ({ name: 'Made', parent: null })),
    change: (at) => ({ name: `Role ${at}` }),
    same: { description: 'Same' },
  },
  policies: {
    path: '/policies',
    make: (count) => times(count, () => ({ name: 'Made' })),
    change: (at) => ({ name: `Policy ${at}` }),
    same: { description: 'Same' },
  },
  access: {
    path: '/access',
    make: async (count) =>
      (await users(count)).map(({ id }) => ({ policy: world.id('tagging'), user: id })),
    change: (at) => ({ expires_at: `2099-01-01T00:00:${10 + (at % 50)}Z` }),
    same: { expires_at: '2098-01-01T00:00:00Z' },
  },
  rules: {
    path: '/permissions',
    make: (count) =>
      times(count, () => ({ policy: '<tagging>', collection: 'tags', action: 'update' })),
    change: (at) => ({ fields: at % 2 === 0 ? ['id'] : ['name'] }),
    same: { fields: ['id', 'name'] },
  },
  'rules of a role': {
    path: '/permissions',
    make: (count) => times(count, () => ({ role: '<crew>', collection: 'tags', action: 'update' })),
    change: (at) => ({ role: '<crew>', fields: at % 2 === 0 ? ['id'] : ['name'] }),
    same: { role: '<crew>' },
  },
  comments: {
    path: '/comments',
    make: (count) => times(count, () => ({ collection: 'articles', item: '1', comment: 'Hm' })),
    change: (at) => ({ comment: `Comment ${at}` }),
    same: { comment: 'Same' },
  },
};

const COLLECTIONS = Object.keys(ROWS).flatMap((name) => [
  ['an administrator', 'admin', name] as const,
  ['somebody else', 'meg', name] as const,
]);

describe('Many rows are looked up by as many statements as a few', () => {
  afterAll(() => world.restore());

  it.each(COLLECTIONS)('for %s (%s): %s', async (_, who, name) => {
    const rows = ROWS[name] as Rows;
    const { path } = rows;
    const as = world.as(who);
    const found: Record<string, number[]> = {};
    const count = async (how: string, send: Parameters<typeof counted>[0]): Promise<void> => {
      (found[how] ??= []).push(await counted(send));
    };
    for (const many of COUNTS) {
      const payloads = await rows.make(many);
      let ids: unknown[] = [];
      await count('POST', async () => {
        const reply = await as.post<{ id: unknown }[]>(`${path}?fields=id`, payloads);
        ids = reply.data.map(({ id }) => id);
        return reply;
      });
      const changes = ids.map((id, at) => ({ id, ...(world.fill(rows.change(at)) as object) }));
      const data = world.fill(rows.same);
      const query = { filter: { id: { _in: ids } }, limit: -1 };
      await count('PATCH [{id}]', () => as.patch(`${path}?fields=id`, changes));
      await count('PATCH {keys}', () => as.patch(`${path}?fields=id`, { keys: ids, data }));
      await count('PATCH {query}', () => as.patch(`${path}?fields=id`, { query, data }));
      await count('DELETE', () => as.delete(path, ids));
    }
    for (const [how, [, few = 0, most = Infinity]] of Object.entries(found))
      expect([how, most]).toEqual([how, few]);
  });
});
