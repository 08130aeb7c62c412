import { Collection, CollectionsModule, Field } from 'doorward';
import { type SeedData, seed, type World } from '../../factories';
import { startTestApp } from '../../support';

const TIME = 'a_time_whose_name_is_as_long_as_postgresql_takes_names_to_be_xx';
const LINK = 'a_relation_whose_name_is_as_long_as_postgresql_takes_names_to_b';

@Collection('nodes')
class Node {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) name!: string | null;
  @Field.timestamp({ nullable: true }) [TIME]!: Date | null;
  @Field.toOne('nodes', { nullable: true }) up!: number | null;
  @Field.toOne('nodes', { nullable: true }) [LINK]!: number | null;
  @Field.toMany('nodes', 'up') kids!: number[];
}

const SEED: SeedData = { policies: {}, users: {} };
let world: World;
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Node])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  await world.as('admin').post('/items/nodes', [
    { name: 'one', [TIME]: '2024-02-03' },
    { name: 'two', up: 1, [LINK]: 1 },
    { name: 'three', up: 2 },
  ]);
});
afterAll(() => world.app.close());

const [a, b] = ['a'.repeat(64), 'b'.repeat(60)];
const [b1, b2] = [`${b}1`, `${b}2`];
const below = (alias: object): string => `deep=${JSON.stringify({ up: { _alias: alias } })}`;

/** PostgreSQL cuts names after 63 bytes; names of an answer may be longer. */
describe('A value under a long name', () => {
  it.each<[string, string, number, object]>([
    ['a field', `fields=${a}&alias[${a}]=name`, 1, { [a]: 'one' }],
    ['a to-one field', `fields=${b}.name&alias[${b}]=up`, 2, { [b]: { name: 'one' } }],
    ['a list', `fields=${b}.name&alias[${b}]=kids`, 1, { [b]: [{ name: 'two' }] }],
    ['the keys of a list', `fields=${b}&alias[${b}]=kids`, 1, { [b]: [2] }],
    ['a relation with a long name', `fields=${LINK}.name`, 2, { [LINK]: { name: 'one' } }],
    ['a function', `fields=year(${TIME})`, 1, { [`${TIME}_year`]: 2024 }],
    [
      'a field of another item',
      `fields=up.${b1},up.${b2}&${below({ [b1]: 'name', [b2]: 'id' })}`,
      2,
      { up: { [b1]: 'one', [b2]: 1 } },
    ],
    [
      'a relation of a related item',
      `fields=up.${b1}.name,up.${b2}.id&${below({ [b1]: 'up', [b2]: 'up' })}`,
      3,
      { up: { [b1]: { name: 'one' }, [b2]: { id: 1 } } },
    ],
    [
      'each of two names with the same beginning',
      `fields=${b1}.name,${b2}.id&alias[${b1}]=up&alias[${b2}]=up`,
      2,
      { [b1]: { name: 'one' }, [b2]: { id: 1 } },
    ],
  ])('may be %s', async (_, query, id, shown) => {
    const admin = world.as('admin');
    expect((await admin.get(`/items/nodes/${id}?${query}`)).data).toEqual(shown);
    const counted = await admin.get(`/items/nodes?${query}&filter[id]=${id}&meta=*`);
    expect(JSON.parse(counted.text)).toMatchObject({
      data: [shown],
      meta: { total_count: 3, filter_count: 1 },
    });
    expect((await admin.patch(`/items/nodes/${id}?${query}`, { id })).data).toEqual(shown);
  });

  it('may be a group of an aggregate', async () => {
    const query = `aggregate[max]=${TIME}&groupBy=year(${TIME}),${LINK}&filter[id]=1`;
    const { data } = await world.as('admin').get(`/items/nodes?${query}`);
    const max = { [TIME]: '2024-02-03T00:00:00.000Z' };
    expect(data).toEqual([{ [`${TIME}_year`]: 2024, [LINK]: null, max }]);
  });

  it('has the right value over GraphQL', async () => {
    const c = 'c'.repeat(63);
    const { data } = await world
      .as('admin')
      .graphql(
        `{ nodes(filter: { id: { _eq: 1 } }) { ${c}1: name ${c}2: name ${b}: kids { ${c}: name } } }`,
      );
    expect(data).toEqual({
      nodes: [{ [`${c}1`]: 'one', [`${c}2`]: 'one', [b]: [{ [c]: 'two' }] }],
    });
  });
});
