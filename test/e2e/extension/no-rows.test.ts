import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  Collections,
  CollectionsModule,
  Field,
  HooksOf,
  type UpdateContext,
  type WriteContext,
} from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

@Collection('tickets')
class Ticket {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
}

const called: string[] = [];

/** As teams write them: each is called for at least one row. */
@HooksOf(Ticket)
class TicketHooks implements CollectionHooks<Ticket> {
  readonly needsBefore = true;

  async beforeUpdate<T>(payload: T, _keys: unknown, context: UpdateContext<Ticket>): Promise<T> {
    return note('beforeUpdate', context).then(() => payload);
  }

  afterUpdate = (_keys: unknown, context: WriteContext<Ticket>) => note('afterUpdate', context);
  beforeDelete = (_keys: unknown, context: WriteContext<Ticket>) => note('beforeDelete', context);
  beforeCascade = (_keys: unknown, context: WriteContext<Ticket>) => note('beforeCascade', context);
  afterDelete = (_keys: unknown, context: WriteContext<Ticket>) => note('afterDelete', context);

  afterCreate(keys: readonly unknown[]): void {
    called.push('afterCreate');
    if (keys.length === 0) throw new Error('no rows');
  }
}

async function note(hook: string, { before }: WriteContext<Ticket>): Promise<void> {
  called.push(hook);
  const [row] = await before();
  if (!row) throw new Error('no rows');
}

@Module({ imports: [CollectionsModule.forFeature([Ticket])], providers: [TicketHooks] })
class TicketsModule {}

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await startTestApp({ imports: [TicketsModule], synchronize: true });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
});

afterAll(() => test.close());
beforeEach(() => called.splice(0));

const NONE = { filter: { title: { _eq: 'none' } } };
const data = { title: 'x' };

describe('a write that concerns no item', () => {
  it.each<[string, 'POST' | 'PATCH' | 'DELETE', unknown]>([
    ['creates none', 'POST', []],
    ['updates no keys', 'PATCH', { keys: [], data }],
    ['updates what a query does not find', 'PATCH', { query: NONE, data }],
    ['updates an empty list', 'PATCH', []],
    ['deletes no keys', 'DELETE', []],
    ['deletes what a query does not find', 'DELETE', { query: NONE }],
  ])('calls no hook: %s', async (_, method, body) => {
    const { status, codes } = await admin.send(method, '/items/tickets', body as object);
    expect([Math.floor(status / 100), codes, called]).toEqual([2, [], []]);
  });

  it('calls none as a team writes it either', async () => {
    const collections = test.app.get(Collections, { strict: false });
    const system = collections.asSystem('nothing to do');
    await collections.transaction(system, async ({ write }) => {
      await write.create('tickets', []);
      await write.update('tickets', [], data);
      await write.delete('tickets', []);
    });
    expect(called).toEqual([]);
  });

  it('is still checked', async () => {
    const wrong = { keys: [], data: { colour: 'red' } };
    expect((await admin.patch('/items/tickets', wrong)).codes).toEqual(['INVALID_PAYLOAD']);
  });
});

it('a write that concerns one calls each', async () => {
  const { data: made } = await admin.post('/items/tickets', data);
  await admin.patch(`/items/tickets/${String(made['id'])}`, { title: 'y' });
  await admin.delete(`/items/tickets/${String(made['id'])}`);
  expect(called).toEqual([
    ...['afterCreate', 'beforeUpdate', 'afterUpdate'],
    ...['beforeDelete', 'beforeCascade', 'afterDelete'],
  ]);
});
