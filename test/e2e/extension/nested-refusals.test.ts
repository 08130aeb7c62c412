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
/** Rules of bottles read the crate, which the same request may create. */
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

/** Errors of the database are reported as such: new related rows exist while the refused row is checked. */
it.each<[string, string, object, object]>([
  ['a new item in a new one', 'crates', { name: 'n', bottles: [{ code: 'taken' }] }, taken],
  ['one of many', 'crates', { name: 'n', bottles: [...codes, { code: 'taken' }] }, taken],
  ['an item that refers to a new one', 'bottles', { code: 'taken', crate: { name: 'n' } }, taken],
  ['an item moved to a new one', 'crates', { bottles: [{ id: 2, code: 'taken' }] }, taken],
  [
    'a field left out',
    'crates',
    { name: 'n', bottles: [{}] },
    { code: 'FAILED_VALIDATION', field: 'code', type: 'required' },
  ],
  [
    'a refusal of the parent by a rule comes first',
    'crates',
    { name: 'bad', bottles: [{ code: 'taken' }] },
    { code: 'FAILED_VALIDATION', field: 'name' },
  ],
  [
    'a refusal of the referenced item by a rule comes first',
    'bottles',
    { code: 'taken', crate: { name: 'bad' } },
    { code: 'FAILED_VALIDATION', field: 'name' },
  ],
])('is refused with the right error: %s', async (_, collection, body, fault) => {
  const { text } = await world.as('ann').post(`/items/${collection}`, body);
  const { errors } = JSON.parse(text) as { errors: { extensions: object }[] };
  expect(errors.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({ ...fault }),
  ]);
  expect(await world.state()).toEqual(world.start);
});

it('stores valid items', async () => {
  const body = { name: 'n', bottles: [...codes, { id: 2, code: 'moved' }] };
  const reply = await world.as('ann').post('/items/crates?fields=bottles.code', body);
  expect(reply.data['bottles']).toHaveLength(5);
});
