import { Module } from '@nestjs/common';
import {
  type Change,
  type CollectionHooks,
  defineError,
  HooksOf,
  type Key,
  type Payload,
  type WriteContext,
} from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';
import { SampleModule } from '../../sample-extension/sample.module';
import { Tag } from '../../sample-extension/tag.entity';

const Refused = defineError<{ at: string }>('TAG_REFUSED', 400, ({ at }) => `Refused ${at}.`);

/** What ran, in order. */
const log: string[] = [];

const named = async (keys: readonly Key[], { tx }: WriteContext): Promise<string> => {
  const rows = await tx.query<{ name: string }>(
    'SELECT name FROM tags WHERE id = ANY($1::uuid[]) ORDER BY name',
    [keys],
  );
  return rows.map(({ name }) => name).join(' ');
};

/** Logs everything; the name of a tag says where to refuse the write. */
@HooksOf(Tag)
class TagHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    log.push(`before create ${String(payload['name'])}`);
    refuse(payload, 'before create');
    return { ...payload, name: `${String(payload['name'])}!` };
  }

  beforeUpdate(payload: Payload, keys: readonly Key[]): Payload {
    log.push(`before update of ${keys.length}`);
    refuse(payload, 'before update');
    return payload;
  }

  async beforeDelete(keys: readonly Key[], context: WriteContext): Promise<void> {
    const names = await named(keys, context);
    log.push(`before delete ${names}`);
    refuse({ name: names }, 'before delete');
  }

  async afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    const names = await named(keys, context);
    log.push(`after create ${names}`);
    if (names.startsWith('copy me')) await context.write.create('articles', [{ title: names }]);
    refuse({ name: names }, 'after create');
  }

  async afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    const names = await named(keys, context);
    log.push(`after update ${names}`);
    refuse({ name: names }, 'after update');
  }

  async afterDelete(keys: readonly Key[], context: WriteContext): Promise<void> {
    log.push(`after delete${await named(keys, context)}`);
  }

  afterCommit({ collection, action, keys }: Change): void {
    log.push(`after commit of ${action} in ${collection} of ${keys.length}`);
    if (log.some((line) => line.includes('fail late'))) throw new Error('too late');
  }
}

function refuse({ name }: Payload, at: string): void {
  if (String(name).includes(`refuse ${at}`)) throw new Refused({ at });
}

/** Hooks of another module on the same collection, by its name. */
@HooksOf('tags')
class MoreTagHooks implements CollectionHooks {
  beforeCreate(payload: Payload): Payload {
    log.push(`first before create ${String(payload['name'])}`);
    return { ...payload, name: `${String(payload['name'])}?` };
  }

  afterCreate(): void {
    log.push('then after create');
  }
}

/** Marks only the name that it was constructed with. */
@HooksOf('tags')
class MarkingHooks implements CollectionHooks {
  constructor(private readonly own: string) {}

  beforeUpdate(payload: Payload): Payload {
    return payload['name'] === this.own ? { ...payload, name: `${this.own}, marked` } : payload;
  }
}

/** It inherits what it is hooks of. */
class DerivedHooks extends MarkingHooks {}

const MARKING = [
  { provide: DerivedHooks, useFactory: () => new DerivedHooks('of a subclass') },
  { provide: 'alias', useExisting: DerivedHooks },
  { provide: MarkingHooks, useFactory: () => new MarkingHooks('of a factory') },
  { provide: 'marking', useValue: new MarkingHooks('of a value') },
];

@Module({ imports: [SampleModule], providers: [TagHooks, MoreTagHooks, ...MARKING] })
class HookedModule {}

let app: TestApp;
let admin: TestClient;

beforeAll(async () => {
  app = await startTestApp({ imports: [HookedModule], logger: false });
  admin = as(app, (await signIn(app, TEST_ADMIN)).access_token);
});

afterAll(() => app.close());

beforeEach(() => log.splice(0));

/** Waits until all work after commits is done. */
const settled = (): Promise<void> => app.database.backgroundWork.settled(5_000);
const tags = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>('SELECT count(*)::int4 FROM tags');
  return row?.count ?? 0;
};
const make = async (name: string): Promise<string> =>
  String((await admin.post('/items/tags', { name })).data['id']);

describe('Hooks', () => {
  it('run around a create, hooks of later modules first before and last after it', async () => {
    const reply = await admin.post('/items/tags?fields=name', { name: 'a' });
    expect(reply.data).toEqual({ name: 'a?!' });
    await settled();
    expect(log).toEqual([
      ...['first before create a', 'before create a?', 'after create a?!', 'then after create'],
      'after commit of create in tags of 1',
    ]);
  });

  it('run around an update and a delete', async () => {
    const id = await make('b');
    await settled();
    log.splice(0);
    await admin.patch(`/items/tags/${id}`, { name: 'c' });
    await settled();
    await admin.delete(`/items/tags/${id}`);
    await settled();
    expect(log).toEqual([
      ...['before update of 1', 'after update c', 'after commit of update in tags of 1'],
      ...['before delete c', 'after delete', 'after commit of delete in tags of 1'],
    ]);
  });

  it('run for writes through a relation, and through GraphQL', async () => {
    await admin.post('/items/articles', { title: 'x', tags: [{ name: 'nested' }] });
    expect(log).toContain('after create nested?!');
    await settled();
    log.splice(0);
    await admin.post('/graphql', {
      query: 'mutation { create_tags_item(data: {name: "asked"}) { id } }',
    });
    await settled();
    expect(log).toContain('after commit of create in tags of 1');
  });

  it('write in the same transaction, in the name of the caller', async () => {
    await make('copy me');
    const filter = JSON.stringify({ title: { _eq: 'copy me?!' } });
    const reply = await admin.get(`/items/articles?fields=status&filter=${filter}`);
    expect(reply.data).toEqual([{ status: 'draft' }]);
  });

  it.each(['before create', 'after create'])('refuse a create %s', async (at) => {
    const before = await tags();
    const reply = await admin.post('/items/tags', [{ name: 'fine' }, { name: `refuse ${at}` }]);
    expect([reply.status, reply.codes]).toEqual([400, ['TAG_REFUSED']]);
    expect(await tags()).toBe(before);
  });

  it.each(['before update', 'after update'])('refuse an update %s', async (at) => {
    const id = await make('steady');
    const reply = await admin.patch(`/items/tags/${id}`, { name: `refuse ${at}` });
    await settled();
    expect(reply.body).toMatchObject({ errors: [{ message: `Refused ${at}.` }] });
    expect((await admin.get(`/items/tags/${id}`)).data).toMatchObject({ name: 'steady?!' });
    expect(log.some((line) => line.startsWith('after commit of update'))).toBe(false);
  });

  it('refuse a delete', async () => {
    const id = await make('x');
    await admin.patch(`/items/tags/${id}`, { name: 'refuse before delete' });
    expect((await admin.delete(`/items/tags/${id}`)).codes).toEqual(['TAG_REFUSED']);
    expect((await admin.get(`/items/tags/${id}`)).status).toBe(200);
  });

  it('do not run before an update or a delete of a row that does not exist', async () => {
    const keys = [await make('here'), '00000000-0000-4000-8000-000000000000'];
    await settled();
    log.splice(0);
    const data = { name: 'refuse before update' };
    expect((await admin.patch('/items/tags', { keys, data })).codes).toEqual(['FORBIDDEN']);
    const alone = await admin.patch(`/items/tags/${String(keys[1])}`, data);
    expect(alone.codes).toEqual(['FORBIDDEN']);
    expect((await admin.delete('/items/tags', keys)).codes).toEqual(['FORBIDDEN']);
    expect(log).toEqual([]);
  });

  it.each(['of a factory', 'of a value', 'of a subclass'])('may be %s', async (name) => {
    const id = await make(name);
    const { data } = await admin.patch(`/items/tags/${id}`, { name });
    expect(data).toMatchObject({ name: `${name}, marked` });
  });

  it('cannot refuse once the change is committed', async () => {
    const reply = await admin.post('/items/tags', { name: 'fail late' });
    expect(reply.status).toBe(200);
    await settled();
    expect(log.at(-1)).toBe('after commit of create in tags of 1');
  });
});

describe("The sample's own hooks", () => {
  const category = async (body: object): Promise<number> =>
    Number((await admin.post('/items/categories', body)).data['id']);

  it('change the payload', async () => {
    const id = await category({ name: '  Rivers ' });
    expect((await admin.get(`/items/categories/${id}`)).data).toMatchObject({ name: 'Rivers' });
  });

  it('refuse resulting rows, and undo the write', async () => {
    const top = await category({ name: 'Top' });
    const below = await category({ name: 'Below', parent: top });
    const reply = await admin.patch(`/items/categories/${top}`, { parent: below });
    expect([reply.status, reply.codes]).toEqual([400, ['CATEGORY_CIRCLE']]);
    const own = await admin.patch(`/items/categories/${top}`, { parent: top });
    expect(own.codes).toEqual(['CATEGORY_CIRCLE']);
    expect((await admin.get(`/items/categories/${top}`)).data).toMatchObject({ parent: null });
  });
});
