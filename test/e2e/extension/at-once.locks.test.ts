import type { Tx } from '../../../src/database/database';
import { create, read, remove, seed, update, withTables, type World } from '../../factories';
import { type Reply, replyAfterWait, startTestApp, describeOnPostgres } from '../../support';
import { SampleModule } from '../../sample-extension/sample.module';
import { NAMING, ShelvesModule } from './at-once.locks.fixtures';

const OF_DRAFTS = { book: { status: { _eq: 'draft' } } };

const ROWS = [
  `INSERT INTO shelves (id, name) SELECT id, 'shelf ' || id FROM generate_series(1, 24) AS id`,
  `INSERT INTO books (id, title, status, shelf) SELECT id, 'book ' || id, 'draft', 1 FROM generate_series(1, 3) AS id`,
  `INSERT INTO pages (id, text, book) SELECT id, '', CASE WHEN id > 4 THEN 1 ELSE 2 END FROM generate_series(1, 8) AS id`,
  `INSERT INTO categories (id, name) SELECT id, 'category ' || id FROM generate_series(1, 48) AS id`,
  // No entity declares it.
  'CREATE UNIQUE INDEX books_code ON books (code)',
];

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [SampleModule, ShelvesModule], synchronize: true });
  const seeded = await seed(app, {
    policies: {
      librarian: ['shelves', 'books', 'pages', 'categories'].flatMap((name) => [
        ...[read, create].map((rule) => rule(name, ['*'])),
        remove(name),
        update(name, ['*'], name === 'pages' ? OF_DRAFTS : {}),
      ]),
      reader: [read('pages', ['*']), { ...update('pages', ['*']), validation: OF_DRAFTS }],
    },
    users: { ann: { policies: ['librarian'] }, bob: { policies: ['reader'] } },
  });
  for (const row of ROWS) await seeded.app.database.query(row);
  world = await withTables(seeded, ['shelves', 'books', 'pages', 'categories']);
});

afterAll(() => world.app.close());
beforeEach(() => world.restore());

const ann = () => world.as('ann');
const answers = (replies: readonly Reply[]): unknown[] =>
  replies.map(({ status, codes }) => codes[0] ?? status);

/** Sends a request while rows are locked, and goes on once the request waits for one of them. */
const whileLocked = (
  lock: string,
  send: () => Promise<Reply>,
  then: (tx: Tx) => Promise<unknown>,
): Promise<Reply> => {
  const locked = async (tx: Tx): Promise<void> => {
    // Of two transactions that wait for each other, this one is ended.
    await tx.query(`SET LOCAL deadlock_timeout = '10ms'`);
    await tx.query(lock);
  };
  return replyAfterWait(world.app.database, locked, send, then);
};

// The embedded database has one connection: there, nothing waits for anything else.
describeOnPostgres('Updates at once of rows that come to refer to each other', () => {
  it('are seen by a hook that checks them afterwards', async () => {
    const pairs = Array.from({ length: 12 }, (_, at) => [2 * at + 1, 2 * at + 2] as const);
    for (const [one, other] of pairs) {
      await Promise.all([
        ann().patch(`/items/shelves/${one}`, { parent: other }),
        ann().patch(`/items/shelves/${other}`, { parent: one }),
      ]);
    }
    const circles = await world.app.database.query(
      'SELECT 1 FROM shelves one JOIN shelves other ON other.id = one.parent AND other.parent = one.id',
    );
    expect(circles).toEqual([]);
  });

  it('are seen by a hook that locks what it reads, also over several rows', async () => {
    const patch = (id: number, parent: number): Promise<Reply> =>
      ann().patch(`/items/categories/${id}`, { parent });
    const replies: Reply[] = [];
    for (let at = 1; at <= 48; at += 4) {
      await Promise.all([patch(at + 1, at + 2), patch(at + 3, at)]);
      replies.push(...(await Promise.all([patch(at, at + 1), patch(at + 2, at + 3)])));
    }
    const refused = replies.filter(({ codes }) => codes[0] === 'CATEGORY_CIRCLE');
    expect(refused).toHaveLength(12);
  });
});

describeOnPostgres('An update while another transaction makes rows that refer to its row', () => {
  const refer = (table: string): string => `SELECT 1 FROM ${table} WHERE id = 1 FOR KEY SHARE`;
  const judge =
    (table: string) =>
    (tx: Tx): Promise<unknown> =>
      tx.query(`SELECT 1 FROM ${table} WHERE id = 1 FOR SHARE`);

  it.each<[string, string, object]>([
    ['of a unique field', 'shelves', { name: 'renamed' }],
    ['of one of several unique fields', 'books', { title: 'renamed' }],
    ['of a field that only the database knows to be unique', 'books', { code: 7 }],
    ['of a unique field that a hook sets', 'shelves', { size: NAMING }],
  ])('waits for it without a deadlock: %s', async (_, table, body) => {
    const send = (): Promise<Reply> => ann().patch(`/items/${table}/1`, body);
    const reply = await whileLocked(refer(table), send, judge(table));
    expect(answers([reply])).toEqual([200]);
  });

  it('waits for it without a deadlock where a query selects its row', async () => {
    const data = { name: 'renamed' };
    const query = { filter: { id: { _eq: 1 } } };
    const send = (): Promise<Reply> => ann().patch('/items/shelves', { query, data });
    const reply = await whileLocked(refer('shelves'), send, judge('shelves'));
    expect(answers([reply])).toEqual([200]);
  });

  it('does not wait for it where neither payload nor hook sets a unique field', async () => {
    const { database } = world.app;
    const replies = await database.transaction(async (tx) => {
      await tx.query(refer('shelves'));
      await tx.query(refer('books'));
      return [
        await ann().patch('/items/shelves/1', { size: 3 }),
        await ann().patch('/items/books/1', { status: 'done' }),
      ];
    });
    expect(answers(replies)).toEqual([200, 200]);
  });
});

describeOnPostgres('A list that keeps some of its items and gains others', () => {
  it('locks all of them in the order of their keys', async () => {
    const items = [5, 6, 1, 2].map((id) => ({ id, text: 'changed' }));
    const reply = await whileLocked(
      'SELECT 1 FROM pages WHERE id = 1 FOR UPDATE',
      () => ann().patch('/items/books/1', { pages: { update: items } }),
      (tx) => tx.query('SELECT 1 FROM pages WHERE id IN (5, 6) FOR UPDATE NOWAIT'),
    );
    expect(answers([reply])).toEqual([200]);
  });

  it('locks those that leave it in the same order', async () => {
    const reply = await whileLocked(
      'SELECT 1 FROM pages WHERE id = 5 FOR UPDATE',
      () =>
        ann().patch('/items/books/1', {
          shelf: 1,
          pages: { update: [{ id: 5, text: 'a' }], delete: [8] },
        }),
      (tx) => tx.query('SELECT 1 FROM pages WHERE id = 8 FOR UPDATE NOWAIT'),
    );
    expect(answers([reply])).toEqual([200]);
  });
});

describeOnPostgres('An item that is updated by itself and along with its parent', () => {
  it.each([
    ['rows', 'ann'],
    ['validations', 'bob'],
  ])('is not kept locked while its parent is waited for, to which %s lead', async (_, user) => {
    const reply = await whileLocked(
      'SELECT 1 FROM books WHERE id = 1 FOR NO KEY UPDATE',
      () => world.as(user).patch('/items/pages/5', { text: 'alone' }),
      (tx) => tx.query('SELECT 1 FROM pages WHERE id = 5 FOR UPDATE NOWAIT'),
    );
    expect(answers([reply])).toEqual([200]);
  });

  it('is updated by all of many requests at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const text = `text ${at}`;
        if (at % 2 === 0) return ann().patch('/items/pages/5', { text });
        return ann().patch('/items/books/1', { pages: { update: [{ id: 5, text }] } });
      }),
    );
    expect(answers(replies)).toEqual(new Array<number>(12).fill(200));
  });
});
