import { create, read, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { startTestApp, type TestApp } from '../../support';

const COUNT = 60;
/** Sixty of these are more than a transaction keeps or stores. */
const LONG = 600_000;
const TOO_MUCH = `${32 * 1024 * 1024} characters`;

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

let app: TestApp;
let world: World;
let ids: number[];

beforeAll(async () => {
  app = await startTestApp({ imports: [SampleModule] });
  world = await seed(app, {
    policies: {
      editing: [
        read('articles', ['id', 'title', 'metadata']),
        update('articles', ['title'], {}, { validation: { body: { _nnull: true } } }),
        update('articles', ['secret']),
      ],
      filling: [
        read('articles', ['id', 'title']),
        create('articles', ['title'], {}, { presets: { body: '$CURRENT_USER.description' } }),
      ],
    },
    users: {
      ann: { policies: ['editing'] },
      bob: { policies: ['filling'], description: 'd'.repeat(400_000) },
    },
  });
  const rows = many(COUNT, (at) => ({ title: `Row ${at}` }));
  const { data } = await world.as('admin').post('/items/articles?limit=-1', rows);
  ids = (data as unknown as { id: number }[]).map(({ id }) => id);
});

afterAll(() => app.close());

const setAll = (sql: string) => app.database.query(`UPDATE articles SET ${sql}`);

const change = (count: number, data: object) =>
  world.as('ann').patch('/items/articles?fields=id', { keys: ids.slice(0, count), data });

describe('60: long values of many items', () => {
  afterEach(() => setAll('body = NULL, secret = NULL, metadata = NULL'));

  it('are read for the rules of a write only up to a bound', async () => {
    await setAll(`body = repeat('x', ${LONG})`);
    const refused = await change(COUNT, { title: 'New' });
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(refused.text).toContain(TOO_MUCH);
    expect((await change(COUNT / 2, { title: 'New' })).status).toBe(200);
  });

  it('are stored only up to a bound, if all items get the same', async () => {
    const secret = 's'.repeat(400_000);
    const more = many(COUNT, (at) => ({ title: `More ${at}` }));
    const { data } = await world.as('admin').post('/items/articles?fields=id&limit=-1', more);
    const others = (data as unknown as { id: number }[]).map(({ id }) => id);
    const keys = [...ids, ...others];
    const patch = (some: readonly number[]) =>
      world.as('ann').patch('/items/articles?fields=id', { keys: some, data: { secret } });
    const refused = await patch(keys);
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(refused.text).toContain(TOO_MUCH);
    const filter = { secret: { _nnull: true } };
    const stored = { query: { aggregate: { count: '*' }, filter } };
    const { data: counts } = await world.as('admin').send('SEARCH', '/items/articles', stored);
    expect(counts).toEqual([{ count: 0 }]);
    expect((await patch(ids)).status).toBe(200);
  });

  it('are stored only up to a bound, if rules preset them', async () => {
    const items = (count: number) => many(count, () => ({ title: 'Filled' }));
    const post = (count: number) => world.as('bob').post('/items/articles?fields=id', items(count));
    const refused = await post(2 * COUNT);
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(refused.text).toContain(TOO_MUCH);
    expect((await post(COUNT)).status).toBe(200);
  });

  it('are read only up to a bound, where each object in JSON counts for more than its characters', async () => {
    await setAll(`metadata = ('[' || repeat('{},', 59999) || '{}]')::jsonb`);
    const ask = (limit: number) =>
      world.as('ann').get(`/items/articles?fields=metadata&limit=${limit}`);
    const refused = await ask(COUNT);
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(refused.text).toContain(TOO_MUCH);
    expect((await ask(COUNT / 3)).status).toBe(200);
  });
});
