import { Module } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { Collection, CollectionsModule, Field, SignedIn, TypeDefs } from 'doorward';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('readings')
class Reading {
  @Field.key('integer') id!: number;
  @Field.double({ nullable: true }) rating!: number | null;
}

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type Query { many: Int }' })
class ManyResolver {
  @Query('many')
  @SignedIn()
  many(): number {
    return 2 ** 40;
  }
}

const imports = [CollectionsModule.forFeature([Reading])];

@Module({ imports, providers: [ManyResolver] })
class ReadingModule {}

let world: World;
beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [ReadingModule], synchronize: true }), {});
  await world.app.database.query(
    `INSERT INTO readings (rating) VALUES (1.5), ('NaN'), ('Infinity'), ('-Infinity')`,
  );
});
afterAll(() => world.app.close());

const ask = (query: string) => world.as('admin').post('/graphql', { query });

it('a double that JSON cannot represent is null over REST and GraphQL', async () => {
  const ratings = [1.5, null, null, null].map((rating) => ({ rating }));
  const rest = await world.as('admin').get('/items/readings?fields=rating&sort=id');
  const graphql = await ask('{ readings(sort: ["id"]) { rating } }');
  expect([rest.data, graphql.codes, graphql.data]).toEqual([ratings, [], { readings: ratings }]);
});

it('so is an aggregate of such values', async () => {
  const query = '{ readings_aggregated { sum { rating } max { rating } } }';
  const { codes, data } = await ask(query);
  const nothing = { sum: { rating: null }, max: { rating: null } };
  expect([codes, data]).toEqual([[], { readings_aggregated: [nothing] }]);
});

it('a value that its type cannot represent is an internal error', async () => {
  expect(await ask('{ many }')).toMatchObject({
    codes: ['INTERNAL_SERVER_ERROR'],
    data: { many: null },
  });
});
