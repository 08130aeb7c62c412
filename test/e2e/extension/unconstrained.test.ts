import { Collection, CollectionsModule, Field } from 'doorward';
import { type SeedData, create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('depots')
class Depot {
  @Field.key('integer') id!: number;
  @Field.timestamp({ nullable: true, deletedAt: true }) closed_at!: Date | null;
}

@Collection('vans')
class Van {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Depot, { nullable: true, constraint: false }) depot!: Depot | null;
  @Field.toOne(() => Depot, { nullable: true }) held!: Depot | null;
}

const SEED: SeedData = {
  policies: {
    driving: [read('depots', ['*']), ...[read, create, update].map((rule) => rule('vans', ['*']))],
  },
  users: { ann: { policies: ['driving'] } },
};

let world: World;

/** Depot 1 exists, depot 2 is deleted but kept, and there are no others. */
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Depot, Van])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  const admin = world.as('admin');
  await admin.post('/items/depots', [{}, {}]);
  expect((await admin.delete('/items/depots/2')).status).toBe(204);
  await admin.post('/items/vans', {});
});

afterAll(() => world.app.close());

describe.each(['admin', 'ann'])('A foreign key, sent by %s', (who) => {
  const sends: [string, (body: object) => Promise<{ codes: unknown; status: number }>][] = [
    ['for a new row', (body) => world.as(who).post('/items/vans?fields=id', body)],
    ['for an existing row', (body) => world.as(who).patch('/items/vans/1?fields=id', body)],
    [
      'for several',
      (body) => world.as(who).post('/items/vans?fields=id', Array<object>(5).fill(body)),
    ],
  ];

  it.each(sends)(
    'must refer to an existing row, with or without a constraint: %s',
    async (_, send) => {
      for (const field of ['depot', 'held']) {
        for (const missing of [2, 999]) {
          expect((await send({ [field]: missing })).codes).toEqual(['INVALID_FOREIGN_KEY']);
        }
        expect((await send({ [field]: 1 })).status).toBe(200);
        expect((await send({ [field]: null })).status).toBe(200);
      }
    },
  );
});
