import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, seed, update, withTables, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('crates')
class Crate {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) name!: string | null;
  @Field.toOne('service_users', { nullable: true }) owner!: string | null;
  @Field.toMany('bottles', 'crate') bottles!: number[];
}

@Collection('bottles')
class Bottle {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) code!: string;
  @Field.toOne('crates', { nullable: true }) crate!: number | null;
}

const MINE = { owner: { _eq: '$CURRENT_USER' } };
/** Rules of bottles read the crate, which may be as new as the bottle. */
const OF_MINE = { crate: MINE };

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Crate, Bottle])];
  const seeded = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: {
      bottling: [
        read('crates', ['name', 'bottles'], MINE),
        create('crates', ['name', 'bottles'], MINE, {
          presets: { owner: '$CURRENT_USER' },
          validation: { name: { _neq: 'bad' } },
        }),
        read('bottles', ['*']),
        create('bottles', ['code', 'crate'], OF_MINE),
        update('bottles', ['code', 'crate'], {}, { validation: OF_MINE }),
      ],
    },
    users: { ann: { policies: ['bottling'] } },
    rows: { bottles: [{ code: 'taken' }, { code: 'loose' }] },
  });
  world = await withTables(seeded, ['crates', 'bottles']);
});

afterAll(() => world.app.close());

const codes = ['a', 'b', 'c', 'd'].map((code) => ({ code }));
const taken = { code: 'RECORD_NOT_UNIQUE', field: 'code' };

/** What the database refuses is told as such: new related rows are there while the refused one is judged. */
it.each<[string, string, object, object]>([
  ['a new item of a new one', 'crates', { name: 'n', bottles: [{ code: 'taken' }] }, taken],
  ['one of many', 'crates', { name: 'n', bottles: [...codes, { code: 'taken' }] }, taken],
  ['an item that leads to a new one', 'bottles', { code: 'taken', crate: { name: 'n' } }, taken],
  ['an item moved to a new one', 'crates', { bottles: [{ id: 2, code: 'taken' }] }, taken],
  [
    'a field left out',
    'crates',
    { name: 'n', bottles: [{}] },
    { code: 'FAILED_VALIDATION', field: 'code', type: 'required' },
  ],
  [
    'first what rules say of the other item',
    'crates',
    { name: 'bad', bottles: [{ code: 'taken' }] },
    { code: 'FAILED_VALIDATION', field: 'name' },
  ],
  [
    'and of one that it leads to',
    'bottles',
    { code: 'taken', crate: { name: 'bad' } },
    { code: 'FAILED_VALIDATION', field: 'name' },
  ],
])('is refused for what is wrong: %s', async (_, collection, body, fault) => {
  const { text } = await world.as('ann').post(`/items/${collection}`, body);
  const { errors } = JSON.parse(text) as { errors: { extensions: object }[] };
  expect(errors.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({ ...fault }),
  ]);
  expect(await world.state()).toEqual(world.start);
});

it('stores what is right', async () => {
  const body = { name: 'n', bottles: [...codes, { id: 2, code: 'moved' }] };
  const reply = await world.as('ann').post('/items/crates?fields=bottles.code', body);
  expect(reply.data['bottles']).toHaveLength(5);
});
