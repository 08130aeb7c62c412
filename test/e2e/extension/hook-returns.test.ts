import { Logger, Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field, HooksOf, type CollectionHooks } from 'doorward';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('lockers')
class Locker {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

/** What the hook that is tested returns. */
let returned: { readonly name: string; readonly value: unknown } | undefined;

const valueOf = (name: string): unknown => (returned?.name === name ? returned.value : undefined);

@HooksOf(Locker)
class LockerHooks {
  prepareUpdate(): unknown {
    return valueOf('prepareUpdate');
  }
  beforeCreate(): unknown {
    return valueOf('beforeCreate');
  }
  beforeUpdate(): unknown {
    return valueOf('beforeUpdate');
  }
  defaults(): unknown {
    return valueOf('defaults');
  }
  toStored(): unknown {
    return valueOf('toStored');
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Locker])],
  providers: [{ provide: LockerHooks, useFactory: () => new LockerHooks() as CollectionHooks }],
})
class LockersModule {}

let world: World;
let id: string;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [LockersModule], synchronize: true }));
  id = String((await world.as('admin').post('/items/lockers', { title: 'one' })).data['id']);
});

beforeEach(() => {
  returned = undefined;
});

afterAll(() => world.app.close());

const FIELDS = 'it must return an object of fields, or nothing.';
const VALUES = 'it must return a Map of values, or nothing.';

const HOOKS: [string, string, boolean][] = [
  ['prepareUpdate', FIELDS, false],
  ['beforeCreate', FIELDS, true],
  ['beforeUpdate', FIELDS, false],
  ['defaults', FIELDS, true],
  ['toStored', VALUES, true],
  ['toStored', VALUES, false],
];

const WRONG: [unknown, string][] = [
  [['title'], 'an array'],
  ['title', 'a string'],
  [7, 'a number'],
  [false, 'a boolean'],
  [() => ({ title: 'x' }), 'a function'],
  [new Set(['title']), 'a Set'],
  [new Date(), 'a Date'],
];

const CASES = HOOKS.flatMap(([name, must, isNew]) => {
  const other: [unknown, string] =
    must === VALUES ? [{ title: 'x' }, 'an object'] : [new Map([['title', 'x']]), 'a Map'];
  return [...WRONG, other].map(([value, what]) => ({ name, must, isNew, value, what }));
});

it.each(CASES)(
  'The log names $name, which returned $what (of a new item: $isNew), and the answer is an internal error',
  async ({ name, must, isNew, value, what }) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    returned = { name, value };
    const admin = world.as('admin');
    const replies = isNew
      ? [
          await admin.post('/items/lockers', { title: 'two' }),
          await admin.graphql('mutation { create_lockers_item(data: { title: "two" }) { id } }'),
        ]
      : [
          await admin.patch(`/items/lockers/${id}`, { title: 'two' }),
          await admin.graphql(
            `mutation { update_lockers_item(id: ${id}, data: { title: "two" }) { id } }`,
          ),
        ];
    const logged = log.mock.calls.map((call) => call.join(' '));
    log.mockRestore();
    expect(replies.map(({ status }) => status)).toEqual([500, 200]);
    for (const { codes } of replies) expect(codes).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(logged).toHaveLength(2);
    for (const line of logged)
      expect(line).toContain(`LockerHooks.${name} returned ${what}: ${must}`);
    expect((await admin.get('/items/lockers?fields=title')).data).toEqual([{ title: 'one' }]);
  },
);

it('A Map is what toStored returns', async () => {
  returned = { name: 'toStored', value: new Map([['title', 'three']]) };
  const reply = await world.as('admin').patch(`/items/lockers/${id}`, { title: 'two' });
  expect(reply.data['title']).toBe('three');
  returned = undefined;
  await world.as('admin').patch(`/items/lockers/${id}`, { title: 'one' });
});

it.each(['prepareUpdate', 'beforeUpdate'])(
  'An object of a class is an object of fields: %s',
  async (name) => {
    class Fields {
      title = 'three';
    }
    returned = { name, value: new Fields() };
    const reply = await world.as('admin').patch(`/items/lockers/${id}`, { title: 'two' });
    expect(reply.data['title']).toBe('three');
    returned = undefined;
    await world.as('admin').patch(`/items/lockers/${id}`, { title: 'one' });
  },
);
