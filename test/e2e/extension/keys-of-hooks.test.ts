import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  Collections,
  CollectionsModule,
  Field,
  HooksOf,
  type Key,
  type TransactionContext,
} from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

@Collection('crates')
class Crate {
  @Field.key('bigint') id!: string;
  @Field.text({ nullable: true }) label!: string | null;
}

const called: [string, readonly Key[]][] = [];

@HooksOf(Crate)
class CrateHooks implements CollectionHooks<Crate> {
  afterCreate = (keys: readonly Key[]) => void called.push(['created', keys]);
  afterUpdate = (keys: readonly Key[]) => void called.push(['updated', keys]);
  afterDelete = (keys: readonly Key[]) => void called.push(['deleted', keys]);
}

@Module({ imports: [CollectionsModule.forFeature([Crate])], providers: [CrateHooks] })
class CratesModule {}

let test: TestApp;
let admin: TestClient;
let collections: Collections;

beforeAll(async () => {
  test = await startTestApp({ imports: [CratesModule], synchronize: true });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  collections = test.app.get(Collections, { strict: false });
});

afterAll(() => test.close());
beforeEach(() => called.splice(0));

const transact = <T>(work: (context: TransactionContext) => Promise<T>): Promise<T> =>
  collections.transaction(collections.asSystem('a test'), work);

describe.each<[string, string, string]>([
  ['bigint', 'crates', 'label'],
  ['uuid', 'service_users', 'first_name'],
  ['integer', 'service_permissions', 'collection'],
])('a key that a column of type %s cannot hold', (_, collection, field) => {
  it.each<[string, (context: TransactionContext) => Promise<unknown>]>([
    ['update', ({ write }) => write.update(collection, ['abc'], { [field]: 'service_users' })],
    ['delete', ({ write }) => write.delete(collection, ['abc'])],
    ['read', ({ read }) => read.one(collection, 'abc')],
  ])('belongs to no row that a team could %s', async (__, work) => {
    await expect(transact(work)).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });
});

it('hooks are given the keys in one form, whoever writes and however the key is written', async () => {
  const { id } = (await admin.post('/items/crates', { label: 'a' })).data;
  const key = String(id);
  await admin.patch(`/items/crates/0${key}`, { label: 'b' });
  await transact(async ({ read, write }) => {
    const row = await read.one('crates', key);
    expect(await write.update('crates', [row['id'] as Key], { label: 'c' })).toEqual([key]);
    await write.delete('crates', [Number(key)]);
  });
  expect(called).toEqual([
    ['created', [key]],
    ['updated', [key]],
    ['updated', [key]],
    ['deleted', [key]],
  ]);
});
