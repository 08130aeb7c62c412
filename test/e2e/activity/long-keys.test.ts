import { Collection, CollectionsModule, Field } from 'doorward';
import { type SeedData, comment, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('readings')
class Reading {
  @Field.key('bigint', { generated: false }) id!: string;
  @Field.text({ nullable: true }) note!: string | null;
}

const SEED: SeedData = {
  policies: {
    metering: [
      ...[read, update, comment].map((rule) => rule('readings', ['*'])),
      read('service_activity', ['*']),
      read('service_comments', ['*']),
    ],
  },
  users: { ann: { policies: ['metering'] } },
};

const IDS = ['17', '123456789012345678', '1234567890123456789', '9223372036854775807', '-5'];

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Reading])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  await world.as('admin').post(
    '/items/readings',
    IDS.map((id) => ({ id })),
  );
});

afterAll(() => world?.app.close());

const seen = async (path: string): Promise<unknown[]> => {
  const { data } = await world.as('ann').get<{ item: string }[]>(path);
  return [...new Set(data.map(({ item }) => item))].sort();
};

it('a row with a key of up to 19 digits has its entries in the log and its comments', async () => {
  for (const item of IDS) {
    const made = await world
      .as('ann')
      .post('/comments', { collection: 'readings', item, comment: 'hi' });
    expect([made.status, made.data['item']]).toEqual([200, item]);
  }
  // Text that is no key, as a former table may have left it.
  await world.app.database.query(
    `UPDATE service_activity SET item = '9999999999999999999' WHERE item = '17' AND action = 'create'`,
  );
  const sorted = [...IDS].sort();
  expect(await seen('/comments?fields=item')).toEqual(sorted);
  const filter = JSON.stringify({ collection: { _eq: 'readings' } });
  const others = sorted.filter((id) => id !== '17');
  expect(await seen(`/activity?fields=item&filter=${filter}`)).toEqual(others);
});
