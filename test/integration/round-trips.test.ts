import { create, read, seed, update, type World } from '../factories';
import { SampleModule } from '../sample-extension/sample.module';
import { makeTestStorage, startTestApp, type TestStorage, describeOnPostgres } from '../support';
import { TurnCounter } from './turn-counter';

const OWN = { owner: { _eq: '$CURRENT_USER' } };
const SEED = {
  policies: {
    writers: [
      read('articles', ['id', 'title'], OWN),
      create('articles', ['title'], OWN, { presets: { owner: '$CURRENT_USER' } }),
      update('articles', ['title'], OWN),
    ],
  },
  users: { ann: { policies: ['writers'] } },
};

// The embedded database is in the process: nothing is sent.
describeOnPostgres('Between the service and PostgreSQL', () => {
  let database: TestStorage;
  let counter: TurnCounter;
  let world: World;
  let article: number;

  beforeAll(async () => {
    database = await makeTestStorage();
    if (database.storage.kind !== 'postgres') throw new Error('Not on PostgreSQL');
    counter = await TurnCounter.open(database.storage.url);
    const storage = { kind: 'postgres' as const, url: counter.url };
    world = await seed(await startTestApp({ imports: [SampleModule], storage }), SEED);
    const made = await world.as('ann').post('/items/articles', { title: 'First' });
    article = made.data['id'] as number;
  });

  afterAll(async () => {
    await world.app.close();
    counter.close();
    await database.drop();
  });

  /** Background work may add round trips of its own: the lowest count of a few tries is that of the request. */
  async function turnsOf(work: () => Promise<{ readonly status: number }>): Promise<number> {
    const seen: number[] = [];
    for (let tried = 0; tried < 6; tried++) {
      const before = counter.turns;
      expect((await work()).status).toBe(200);
      seen.push(counter.turns - before);
    }
    return Math.min(...seen);
  }

  it('a list takes one round trip, including related rows', async () => {
    const path = '/items/articles?fields=id,title,category.name,owner.first_name';
    expect(await turnsOf(() => world.as('admin').get(path))).toBe(1);
  });

  it('an update by a rule takes one, including the log entry', async () => {
    let count = 0;
    const turns = await turnsOf(() =>
      world.as('ann').patch(`/items/articles/${article}`, { title: `T${(count += 1)}` }),
    );
    expect(turns).toBe(1);
    const [entry] = await world.app.database.query<{ after: unknown }>(
      `SELECT after FROM service_activity WHERE item = $1 ORDER BY id DESC LIMIT 1`,
      [String(article)],
    );
    expect(entry?.after).toEqual({ title: `T${count}` });
  });

  it('a create by a rule takes one', async () => {
    const turns = await turnsOf(() => world.as('ann').post('/items/articles', { title: 'Next' }));
    expect(turns).toBe(1);
  });

  it('a rule by an administrator takes six, since it is checked as it is stored', async () => {
    const rule = { policy: world.id('writers'), collection: 'articles', action: 'delete' };
    expect(await turnsOf(() => world.as('admin').post('/permissions', rule))).toBe(6);
  });
});
