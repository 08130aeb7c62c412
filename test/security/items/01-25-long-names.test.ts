import { Collection, CollectionsModule, Field } from 'doorward';
import { type SeedData, read, seed, update, withTables, type World } from '../../factories';
import { startTestApp } from '../../support';

/** PostgreSQL cuts names after 63 bytes: two columns whose names differ only later must not be confused. */
@Collection('goods')
class Good {
  @Field.key('integer') id!: number;
  @Field.integer({ nullable: true }) cost!: number | null;
  @Field.text({ nullable: true }) owner!: string | null;
  @Field.toOne('goods', { nullable: true }) box!: number | null;
  @Field.toMany('goods', 'box') parts!: number[];
  /** Callers who cannot read the cost must not see a value computed from it. */
  @Field.computed('integer', { from: ['cost'], value: ({ cost }) => Number(cost) * 37 })
  margin!: number | null;
  @Field.computed('integer', { from: ['cost'], value: ({ cost }) => Number(cost) * 37 })
  a_margin_whose_name_is_as_long_as_postgresql_takes_names_to_be!: number | null;
  @Field.computed('integer', { from: ['cost'], sql: (column) => `${column('cost')} * 2` })
  a_price_whose_name_is_as_long_as_postgresql_takes_names_to_be!: number | null;
  @Field.toMany('goods', 'box')
  a_list_whose_name_is_as_long_as_postgresql_takes_names_to_be!: number[];
}

const MARGIN = 'a_margin_whose_name_is_as_long_as_postgresql_takes_names_to_be';
const PRICE = 'a_price_whose_name_is_as_long_as_postgresql_takes_names_to_be';
const LIST = 'a_list_whose_name_is_as_long_as_postgresql_takes_names_to_be';

const changing = (validation: object) => [
  read('goods', ['cost']),
  update('goods', ['cost'], {}, { validation }),
];

const SEED: SeedData = {
  policies: {
    owning: [
      read('goods', ['id', 'cost', 'box', 'parts']),
      read('goods', ['margin', MARGIN], { owner: { _eq: 'ann' } }),
      update('goods', ['box']),
    ],
    cheap: changing({ [PRICE]: { _nbetween: [10, 1000] } }),
    priced: changing({ [PRICE]: { _lt: 10 } }),
    full: changing({ [`count(${LIST})`]: { _gt: 5 } }),
    empty: changing({ [`count(${LIST})`]: { _neq: 1 } }),
  },
  users: {
    ann: { policies: ['owning'] },
    bob: { policies: ['cheap'] },
    cat: { policies: ['priced'] },
    dan: { policies: ['full'] },
    eve: { policies: ['empty'] },
  },
};

let world: World;
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Good])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  await world.as('admin').post('/items/goods', [
    { cost: 1, owner: 'ann' },
    { cost: 2, owner: 'bob', box: 1 },
  ]);
  world = await withTables(world, ['goods']);
});
afterAll(() => world.app.close());
beforeEach(() => world.restore());

const aliased = (length: number, field: string): [string, string] => {
  const name = 'a'.repeat(length);
  return [name, `alias[${name}]=${field}`];
};

describe.each(['margin', MARGIN])('1: %s, which is granted on own rows', (field) => {
  const LENGTHS = [53, 54, 63, 64];
  it.each(LENGTHS)('is masked on others under a name of %i letters', async (length) => {
    const [name, alias] = aliased(length, field);
    const { data } = await world.as('ann').get(`/items/goods?fields=id,${name}&${alias}`);
    expect(data).toEqual([
      { id: 1, [name]: 37 },
      { id: 2, [name]: null },
    ]);
  });

  it.each(LENGTHS)('is masked in related rows under a name of %i letters', async (length) => {
    const [name] = aliased(length, field);
    const deep = JSON.stringify({
      box: { _alias: { [name]: field } },
      parts: { _alias: { [name]: field } },
    });
    const query = `fields=box.${name},parts.${name}&deep=${deep}`;
    const { data } = await world.as('ann').get(`/items/goods?${query}`);
    expect(data).toEqual([
      { box: null, parts: [{ [name]: null }] },
      { box: { [name]: 37 }, parts: [] },
    ]);
  });

  it('is masked under a long name over GraphQL', async () => {
    for (const length of [60, 64]) {
      const name = 'a'.repeat(length);
      const { data } = await world.as('ann').graphql(`{ goods { ${name}: ${field} } }`);
      expect(data).toEqual({ goods: [{ [name]: 37 }, { [name]: null }] });
    }
  });

  it('is masked in the answer to a write', async () => {
    const [name, alias] = aliased(60, field);
    const ann = world.as('ann');
    for (const query of [`fields=${field}`, `fields=${name}&${alias}`]) {
      const answers = [1, 2].map((id) => ann.patch(`/items/goods/${id}?${query}`, { box: null }));
      const [own, other] = (await Promise.all(answers)).map(({ data }) =>
        Object.values(data as object),
      );
      expect([own, other]).toEqual([[37], [null]]);
    }
  });
});

describe('25: a validation of a long name', () => {
  const stored = (): Promise<unknown> =>
    world.app.database.query('SELECT cost FROM goods ORDER BY id');

  it.each([
    ['bob', 'a computed field', 50, 1],
    ['cat', 'a computed field', 50, 1],
    ['dan', 'the size of a list', 3, undefined],
    ['eve', 'the size of a list', 3, undefined],
  ])('of %s judges %s of the resulting row', async (name, _, wrong, right) => {
    const before = await stored();
    const refused = await world.as(name).patch('/items/goods/1', { cost: wrong });
    expect(refused.codes).toEqual(['FAILED_VALIDATION']);
    expect(await stored()).toEqual(before);
    const many = await world
      .as(name)
      .patch('/items/goods', { keys: [1, 2], data: { cost: wrong } });
    expect(many.codes).toEqual(['FAILED_VALIDATION']);
    expect(await stored()).toEqual(before);
    if (right === undefined) return;
    expect((await world.as(name).patch('/items/goods/1', { cost: right })).status).toBe(200);
  });
});
