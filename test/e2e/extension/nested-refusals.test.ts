import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type Payload,
  type PayloadContext,
} from 'doorward';
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
  @Field.text({ nullable: true }) note!: string | null;
  @Field.toOne('crates', { nullable: true }) crate!: number | null;
}

@HooksOf(Bottle)
class BottleHooks implements CollectionHooks {
  /** Packed bottles have a crate of their own. */
  async beforeCreate(payload: Payload, context: PayloadContext): Promise<Payload> {
    if (payload['code'] !== 'packed') return payload;
    const { write } = context.system('a crate for a packed bottle');
    const [crate] = await write.create('crates', [{ owner: context.caller.user }]);
    context.set({ crate });
    return payload;
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Crate, Bottle])],
  providers: [BottleHooks],
})
class BottlingModule {}

const MINE = { owner: { _eq: '$CURRENT_USER' } };
/** Rules of bottles read the crate, which the same request may create. */
const OF_MINE = { crate: MINE };

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [BottlingModule], synchronize: true });
  const seeded = await seed(app, {
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
      unlinking: [create('crates', ['bottles']), create('bottles', ['code'])],
      labelling: [
        read('bottles', ['*']),
        read('crates', ['*'], MINE),
        update('bottles', ['note', 'crate'], {}, { presets: { crate: 1 } }),
      ],
    },
    users: {
      ann: { policies: ['bottling'] },
      bob: { policies: ['labelling'] },
      cat: { policies: ['unlinking'] },
    },
    rows: {
      crates: [{ name: 'of nobody' }],
      bottles: [{ code: 'taken' }, { code: 'loose' }, { code: 'packed' }],
    },
  });
  world = await withTables(seeded, ['crates', 'bottles']);
});

afterAll(() => world.app.close());

const codes = ['a', 'b', 'c', 'd'].map((code) => ({ code }));
const taken = { code: 'RECORD_NOT_UNIQUE', field: 'code' };

const REFUSED: [string, string, object, object][] = [
  ['a new item in a new one', 'crates', { name: 'n', bottles: [{ code: 'taken' }] }, taken],
  ['one of many', 'crates', { name: 'n', bottles: [...codes, { code: 'taken' }] }, taken],
  ['an item that refers to a new one', 'bottles', { code: 'taken', crate: { name: 'n' } }, taken],
  ['an item for which a hook makes a parent', 'bottles', { code: 'packed' }, taken],
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
];

async function expectRefusal(collection: string, body: object, fault: object): Promise<void> {
  const { text } = await world.as('ann').post(`/items/${collection}`, body);
  const { errors } = JSON.parse(text) as { errors: { extensions: object }[] };
  expect(errors.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({ ...fault }),
  ]);
  expect(await world.state()).toEqual(world.start);
}

/** Errors of the database are reported as such: new related rows exist while the refused row is checked. */
it.each(REFUSED)('is refused with the right error: %s', (_, collection, body, fault) =>
  expectRefusal(collection, body, fault),
);

it.each(REFUSED)('is so as one of several, and says which: %s', (_, collection, body, fault) => {
  const good = { crates: { name: 'first' }, bottles: { code: 'first', crate: { name: 'first' } } };
  const first = good[collection as keyof typeof good];
  return expectRefusal(collection, [first, body], { ...fault, item: 1 });
});

it('may not refer to a hidden item, whichever rows before or after it get it by a preset', async () => {
  const [preset, sent] = [
    { id: 1, note: 'x' },
    { id: 2, note: 'x', crate: 1 },
  ];
  for (const items of [
    [preset, sent],
    [sent, preset],
  ]) {
    const reply = await world.as('bob').patch('/items/bottles', items);
    expect(reply.codes).toEqual(['INVALID_FOREIGN_KEY']);
    expect(await world.state()).toEqual(world.start);
  }
  expect((await world.as('bob').patch('/items/bottles', [preset])).codes).toEqual([]);
});

it('stores valid items', async () => {
  const body = { name: 'n', bottles: [...codes, { id: 2, code: 'moved' }] };
  const reply = await world.as('ann').post('/items/crates?fields=bottles.code', body);
  expect(reply.data['bottles']).toHaveLength(5);
});

it('an item in a list whose foreign key no rule names is forbidden, whatever else is wrong with it', async () => {
  const add = (code: unknown) => world.as('cat').post('/items/crates', { bottles: [{ code }] });
  expect((await add('e')).codes).toEqual(['FORBIDDEN']);
  expect((await add(5)).codes).toEqual(['FORBIDDEN']);
});
