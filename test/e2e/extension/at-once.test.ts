import { create, read, remove, seed, update, withTables, type World } from '../../factories';
import { type Reply, replyAfterWait, startTestApp, describeOnPostgres } from '../../support';
import { OrdersModule, SUMMED, SUMMED_OR_NOT } from './at-once.fixtures';

const OPEN = { order: { status: { _eq: 'open' } } };
const LISTS = ['lines', 'slips', 'badges'];
const TABLES = ['orders', 'badges', 'lines', 'slips', 'order_badges'];

const ROWS = [
  `INSERT INTO orders (id, status, total) SELECT id, 'open', 0 FROM generate_series(1, 3) AS id`,
  `INSERT INTO badges (id) VALUES (1), (2)`,
  `INSERT INTO lines (id, qty, "order") SELECT id, 1, 1 FROM generate_series(1, 10) AS id`,
  `INSERT INTO lines (id, qty, "order") VALUES (21, 1, 2), (22, 1, 2)`,
  `INSERT INTO slips (id, status, "order") VALUES (1, 'new', 2), (2, 'new', 2)`,
  `INSERT INTO order_badges (id, "order", badge) VALUES (1, 2, 1), (2, 2, 2)`,
];

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [OrdersModule], synchronize: true });
  const seeded = await seed(app, {
    policies: {
      reading: [
        ...['orders', 'lines', 'slips', 'badges', 'order_badges'].map((name) => read(name, ['*'])),
        update('orders', LISTS),
        update('slips', ['status'], { status: { _eq: 'own' } }),
        remove('lines', { qty: { _eq: 99 } }),
      ],
      selling: [
        ...['orders', 'lines', 'slips', 'badges', 'order_badges'].map((name) => read(name, ['*'])),
        update('orders', ['status', 'total', ...LISTS]),
        create('lines', ['*'], OPEN),
        update('lines', ['qty', 'order'], OPEN),
        remove('lines'),
        update('slips', ['status']),
        update('slips', ['status', 'order'], { status: { _neq: 'stuck' } }),
        create('order_badges', ['*']),
        remove('order_badges'),
      ],
    },
    users: { ann: { policies: ['selling'] }, bob: { policies: ['reading'] } },
  });
  for (const row of ROWS) await seeded.app.database.query(row);
  world = await withTables(seeded, TABLES);
});

afterAll(() => world.app.close());
beforeEach(() => world.restore());

const ann = () => world.as('ann');
const bob = () => world.as('bob');
const sql = (text: string): Promise<object[]> => world.app.database.query(text);
const answers = (replies: readonly Reply[]): unknown[] =>
  replies.map(({ status, codes }) => codes[0] ?? status);
const all = (count: number): number[] => new Array<number>(count).fill(200);

// The embedded database has one connection: there, nothing waits for anything else.
describeOnPostgres('Requests at once for items of one parent', () => {
  const each = (send: (id: number) => Promise<Reply>): Promise<Reply[]> =>
    Promise.all(Array.from({ length: 10 }, (_, at) => send(at + 1)));
  const total = async (): Promise<Record<string, unknown>> => ({
    ...(await sql('SELECT total FROM orders WHERE id = 1'))[0],
  });

  it('are all carried out where a hook updates the parent of each new item', async () => {
    const replies = await each(() => ann().post('/items/lines', { qty: SUMMED, order: 1 }));
    expect(answers(replies)).toEqual(all(10));
    expect(await sql(`SELECT 1 FROM lines WHERE qty = ${SUMMED}`)).toHaveLength(10);
  });

  it('are all carried out where each updates the parent by which it is allowed', async () => {
    const order = { id: 1, total: 3 };
    const replies = await each((id) => ann().patch(`/items/lines/${id}`, { qty: 3, order }));
    expect(answers(replies)).toEqual(all(10));
    expect(await total()).toEqual({ total: 3 });
  });

  it('are all carried out where a hook updates the parent by which each is allowed', async () => {
    const replies = await each((id) => ann().patch(`/items/lines/${id}`, { qty: SUMMED }));
    expect(answers(replies)).toEqual(all(10));
  });

  it('are all carried out, hook included, where it would have caught the error', async () => {
    const replies = await each((id) => ann().patch(`/items/lines/${id}`, { qty: SUMMED_OR_NOT }));
    expect(answers(replies)).toEqual(all(10));
    expect(Number((await total())['total'])).toBeGreaterThanOrEqual(SUMMED_OR_NOT);
  });

  it('do not wait for one another where the parent is only read', async () => {
    const { database } = world.app;
    const reply = await database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM orders WHERE id = 1 FOR SHARE');
      return ann().patch('/items/lines/1', { qty: 2, order: { id: 1 } });
    });
    expect(reply.status).toBe(200);
  });
});

/** Sends a request while a change is not committed yet, and commits once the request waits for it. */
const whileChanging = (change: string, send: () => Promise<Reply>): Promise<Reply> =>
  replyAfterWait(world.app.database, (tx) => tx.query(change), send);

const patch = (body: object) => (): Promise<Reply> => ann().patch('/items/orders/2', body);

describeOnPostgres('A list from which another transaction has just moved an item', () => {
  const move = (table: string, id: number): string =>
    `UPDATE ${table} SET "order" = 3 WHERE id = ${id}`;
  const inSecond = (id: number) => ({ id, order: 2 });
  const inThird = (id: number) => ({ id, order: 3 });

  it.each<{
    readonly it: string;
    readonly table: string;
    /** What the other transaction does to the list's items. */
    readonly meanwhile: string;
    readonly list: object;
    readonly answer: unknown;
    /** Afterwards, the rows of the table with their orders. */
    readonly rows: readonly object[];
  }>([
    {
      it: 'does not delete it',
      table: 'lines',
      meanwhile: move('lines', 21),
      list: { lines: [22] },
      answer: 200,
      rows: [inThird(21), inSecond(22)],
    },
    {
      it: 'does not unlink it',
      table: 'slips',
      meanwhile: move('slips', 1),
      list: { slips: [2] },
      answer: 200,
      rows: [inThird(1), inSecond(2)],
    },
    {
      it: 'cannot unlink it by its key',
      table: 'slips',
      meanwhile: move('slips', 1),
      list: { slips: { delete: [1] } },
      answer: 'FORBIDDEN',
      rows: [inThird(1), inSecond(2)],
    },
    {
      it: 'moves it back where the list is to hold it',
      table: 'slips',
      meanwhile: move('slips', 2),
      list: { slips: [{ id: 2, status: 'kept' }] },
      answer: 200,
      rows: [{ id: 1, order: null }, inSecond(2)],
    },
    {
      it: 'does not move it back without the right to',
      table: 'slips',
      meanwhile: `UPDATE slips SET "order" = 3, status = 'stuck' WHERE id = 2`,
      list: { slips: [1, { id: 2, status: 'kept' }] },
      answer: 'FORBIDDEN',
      rows: [inSecond(1), inThird(2)],
    },
    {
      it: 'does not unlink it by a row of the junction',
      table: 'order_badges',
      meanwhile: move('order_badges', 1),
      list: { badges: [2] },
      answer: 200,
      rows: [inThird(1), inSecond(2)],
    },
    {
      it: 'leaves what was deleted meanwhile',
      table: 'order_badges',
      meanwhile: `DELETE FROM order_badges WHERE id = 1`,
      list: { badges: [2] },
      answer: 200,
      rows: [inSecond(2)],
    },
  ])('$it: $table', async ({ table, meanwhile, list, answer, rows }) => {
    expect(answers([await whileChanging(meanwhile, patch(list))])).toEqual([answer]);
    const stored = await sql(
      `SELECT id, "order" FROM ${table} WHERE "order" IS DISTINCT FROM 1 ORDER BY id`,
    );
    expect(stored).toEqual(rows);
  });
});

describeOnPostgres('A query that selects the rows of a write', () => {
  const query = { filter: { id: { _eq: 2 }, status: { _eq: 'open' } } };
  const close = `UPDATE orders SET status = 'closed' WHERE id = 2`;
  const changed = () => sql(`SELECT id, status FROM orders WHERE status <> 'open' ORDER BY id`);

  it('is carried out by one of several requests at once', async () => {
    const statuses = ['a', 'b', 'c', 'd'];
    const replies = await Promise.all(
      statuses.map((status) => ann().patch('/items/orders', { query, data: { status } })),
    );
    const written = replies.filter(({ data }) => (data as unknown as unknown[]).length > 0);
    expect([answers(replies), written.length]).toEqual([all(4), 1]);
  });

  it('does not select what no longer matches it once it is locked', async () => {
    const both = {
      filter: { id: { _in: [2, 3] }, status: { _eq: 'open' } },
      sort: '-id',
      offset: 0,
    };
    const reply = await whileChanging(close, () =>
      ann().patch('/items/orders?fields=id', { query: both, data: { status: 'mine' } }),
    );
    expect(reply.data).toEqual([{ id: 3 }]);
    expect(await changed()).toEqual([
      { id: 2, status: 'closed' },
      { id: 3, status: 'mine' },
    ]);
  });

  it('does not delete what no longer matches it', async () => {
    const some = { filter: { id: { _in: [21, 22] }, qty: { _eq: 1 } } };
    const reply = await whileChanging('UPDATE lines SET qty = 2 WHERE id = 21', () =>
      ann().delete('/items/lines', { query: some }),
    );
    expect(reply.status).toBe(204);
    expect(await sql('SELECT id FROM lines WHERE "order" = 2')).toEqual([{ id: 21 }]);
  });

  it('locks nothing that the caller may not write', async () => {
    const requests = [
      () => bob().patch('/items/slips', { query: {}, data: { status: 'mine' } }),
      () => bob().delete('/items/lines', { query: { filter: { id: { _eq: 21 } } } }),
      () => bob().patch('/items/orders/2', { lines: [22] }),
    ];
    const { database } = world.app;
    const replies = await database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM lines, slips FOR UPDATE');
      return Promise.all(requests.map((send) => send()));
    });
    expect(answers(replies)).toEqual(requests.map(() => 'FORBIDDEN'));
  });

  it('does not select what was deleted meanwhile, and skips no more than its page', async () => {
    const page = { filter: { order: { _eq: 1 } }, sort: 'id', limit: 2, offset: 1 };
    const reply = await whileChanging('DELETE FROM lines WHERE id = 2', () =>
      ann().patch('/items/lines?fields=id', { query: page, data: { qty: 5 } }),
    );
    expect(reply.data).toEqual([{ id: 3 }]);
  });
});
