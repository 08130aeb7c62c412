import { Module } from '@nestjs/common';
import {
  type CollectionHooks,
  HooksOf,
  type Key,
  type LookUp,
  type Payload,
  type WriteContext,
} from 'doorward';
import { read, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { startTestApp } from '../../support';

/** The number of keys in each call, and the names that were found. */
const found: [number, readonly string[]][] = [];

const namesOf: LookUp<readonly string[]> = async (keys, { tx }) => {
  const rows = await tx.query<{ name: string }>(
    'SELECT name FROM tags WHERE id = ANY($1::uuid[]) ORDER BY name',
    [keys],
  );
  const names = rows.map(({ name }) => name);
  found.push([keys.length, names]);
  return names;
};

@HooksOf('tags')
class TagHooks implements CollectionHooks {
  async beforeCreate(payload: Payload, context: WriteContext): Promise<Payload> {
    await context.once(namesOf);
    return payload;
  }

  async beforeUpdate(payload: Payload, _: readonly Key[], context: WriteContext): Promise<Payload> {
    await context.once(namesOf);
    if (payload['name'] === 'writes') await context.write.create('tags', [{ name: 'written' }]);
    return payload;
  }
}

/** A user with this title promotes the one at their location. */
@HooksOf('service_users')
class Promoting implements CollectionHooks {
  async beforeUpdate(payload: Payload, _: readonly Key[], context: WriteContext): Promise<Payload> {
    const { title, location } = payload;
    if (title === 'Promoter' && !context.byHook)
      await context
        .system('a promotion')
        .write.update('service_users', [String(location)], { role: world.id('chiefs') });
    return payload;
  }
}

@Module({ imports: [SampleModule], providers: [TagHooks, Promoting] })
class LookingUpModule {}

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [LookingUpModule] }), {
    policies: {
      staffing: [
        read('service_users', ['*']),
        update('service_users', ['title', 'location', 'role']),
        read('service_roles', ['*']),
      ],
      leading: [read('articles', ['*'])],
    },
    roles: { chiefs: { policies: ['leading'] } },
    users: { meg: { policies: ['staffing'] }, ann: {}, bob: {} },
  });
});

afterAll(() => world.app.close());

beforeEach(() => void found.splice(0));

describe('Hooks look something up', () => {
  const make = async (...names: string[]): Promise<string[]> => {
    const payloads = names.map((name) => ({ name }));
    const reply = await world.as('admin').post<{ id: string }[]>('/items/tags?fields=id', payloads);
    return reply.data.map(({ id }) => id);
  };

  it('once for all payloads of a list, with the keys of the rows that are updated', async () => {
    const ids = await make('a', 'b', 'c');
    expect(found.splice(0)).toEqual([[0, []]]);
    const reply = await world.as('admin').patch(
      '/items/tags',
      ids.map((id) => ({ id, name: `new ${id}` })),
    );
    expect([reply.status, found]).toEqual([200, [[3, ['a', 'b', 'c']]]]);
  });

  it('again once a hook has written', async () => {
    const ids = await make('d', 'e', 'f');
    found.splice(0);
    const names = ['writes', 'other', 'third'];
    const payloads = ids.map((id, at) => ({ id, name: names[at] }));
    expect((await world.as('admin').patch('/items/tags', payloads)).status).toBe(200);
    // The second look-up is that of the tag which the hook creates.
    expect(found.map(([keys]) => keys)).toEqual([3, 0, 3]);
  });
});

it('rights that a hook gives to a later row of the list count as that row’s own', async () => {
  const [ann, bob] = [world.id('ann'), world.id('bob')];
  const promoted = { id: ann, title: 'Promoter', location: bob };
  const refused = await world.as('meg').patch('/users', [promoted, { id: bob, role: null }]);
  expect([refused.status, refused.codes]).toEqual([403, ['FORBIDDEN']]);
  expect(await world.state()).toEqual(world.start);
  const reply = await world.as('meg').patch('/users', [promoted]);
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
});
