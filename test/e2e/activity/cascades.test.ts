import { type SeedData, read, remove } from '../../factories';
import { recordWrites } from '../../support';
import { type BoardWorld, openBoards } from './board-world';
import { brief, done } from './entries';

/** Lou deletes boards, and reads two fields of cards. */
const SEED: SeedData = {
  policies: {
    disposing: [
      remove('boards'),
      read('boards', ['name']),
      read('cards', ['title', 'from']),
      read('service_activity', ['*']),
    ],
  },
  users: { lou: { policies: ['disposing'] } },
};

let world: BoardWorld;

beforeAll(async () => {
  world = await openBoards(SEED);
}, 120_000);

afterAll(() => world.app.close());

const TRANSPORTS: readonly (readonly [string, (ids: readonly string[]) => Promise<void>])[] = [
  ['REST', (ids) => done(world.as('admin').delete('/items/boards', ids))],
  [
    'GraphQL',
    (ids) =>
      done(
        world.as('admin').post('/graphql', {
          query: 'mutation ($ids: [ID!]!) { delete_boards_items(ids: $ids) { ids } }',
          variables: { ids },
        }),
      ),
  ],
];

const comment = (collection: string, item: string) =>
  done(world.as('admin').post('/comments', { collection, item, comment: 'Well' }));

const commented = (): Promise<unknown[]> =>
  world.app.database.query('SELECT collection, item FROM service_comments');

/** The statements that `work` sends in its transaction. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const writes = recordWrites(world.app.database);
  await work();
  writes.stop();
  return writes.texts;
}

describe.each(TRANSPORTS)('A delete over %s', (_, removeBoards) => {
  it('cascades level by level, and logs each row as if it had been deleted directly', async () => {
    const board = await world.make('boards', { name: 'First' });
    const card = await world.make('cards', { title: 'Card', secret: 'xyzzy', board });
    const tick = await world.make('ticks', {
      ...{ card, big: '9007199254740993', rate: 0.5, done: true, at: '2024-05-06T07:08:09.120Z' },
      ...{ data: { a: [1, null] }, labels: ['x', 'y, "z"'] },
    });
    await world.app.database.query(`INSERT INTO board_secrets (token, board) VALUES ('hush', $1)`, [
      Number(board),
    ]);
    await comment('cards', card);
    await comment('ticks', tick);
    const entries = await world.logged(() => removeBoards([board]));
    expect(entries).toEqual([
      expect.objectContaining({ action: 'delete', collection: 'boards', item: board }),
      {
        ...{ action: 'delete', collection: 'cards', item: card, after: null, cut: [] },
        fields: ['id', 'title', 'secret', 'board', 'from', 'next', 'whole'],
        before: {
          ...{ id: Number(card), title: 'Card', secret: '**********', board: Number(board) },
          ...{ from: null, next: null, whole: null },
        },
      },
      {
        ...{ action: 'delete', collection: 'ticks', item: tick, after: null, cut: [] },
        fields: ['id', 'card', 'board', 'big', 'rate', 'done', 'at', 'data', 'labels'],
        before: {
          ...{ id: tick, card: Number(card), board: null, big: '9007199254740993', rate: 0.5 },
          ...{ done: true, at: '2024-05-06T07:08:09.120Z', data: { a: [1, null] } },
          labels: ['x', 'y, "z"'],
        },
      },
    ]);
    expect(await commented()).toEqual([]);
  });

  it('logs one update for each row that loses its reference, and keeps its comments', async () => {
    const [board, other] = [
      await world.make('boards', { name: 'Left' }),
      await world.make('boards', { name: 'Kept' }),
    ];
    const card = await world.make('cards', { title: 'A', board: other, from: board, next: board });
    await comment('cards', card);
    const entries = await world.logged(() => removeBoards([board]));
    expect(brief(entries)[0]).toEqual(['delete', 'boards', board]);
    expect(entries.slice(1)).toEqual([
      {
        ...{ action: 'update', collection: 'cards', item: card, fields: ['from', 'next'], cut: [] },
        before: { from: Number(board), next: Number(board) },
        after: { from: null, next: null },
      },
    ]);
    expect(await commented()).toEqual([{ collection: 'cards', item: card }]);
    await removeBoards([other]);
    expect(await commented()).toEqual([]);
  });

  it('logs a row that is reached in several ways once, as deleted if one of them deletes it', async () => {
    const boards = [
      await world.make('boards', { name: 'One' }),
      await world.make('boards', { name: 'Two' }),
    ];
    const [board = '', next = ''] = boards;
    const card = await world.make('cards', { title: 'Whole', board, from: board, next });
    const part = await world.make('cards', { title: 'Part', board: next, whole: card });
    const tick = await world.make('ticks', { card: part, board });
    const entries = await world.logged(() => removeBoards(boards));
    expect(brief(entries)).toEqual([
      ...boards.map((each) => ['delete', 'boards', each]),
      ['delete', 'cards', card],
      ['delete', 'cards', part],
      ['delete', 'ticks', tick],
    ]);
  });

  it('ends at circular references', async () => {
    const board = await world.make('boards', { name: 'Round' });
    const first = await world.make('cards', { title: '1', board });
    const second = await world.make('cards', { title: '2', whole: first });
    await done(world.as('admin').patch(`/items/cards/${first}`, { whole: second }));
    const own = await world.make('cards', { title: '3', whole: second });
    await done(world.as('admin').patch(`/items/cards/${own}`, { whole: own }));
    const entries = await world.logged(() => removeBoards([board]));
    expect(brief(entries)).toEqual([
      ['delete', 'boards', board],
      ['delete', 'cards', first],
      ['delete', 'cards', second],
    ]);
    const circle = await world.logged(() => done(world.as('admin').delete(`/items/cards/${own}`)));
    expect(brief(circle)).toEqual([['delete', 'cards', own]]);
  });
});

/** Creates cards, each a part of the one before. */
async function chain(length: number): Promise<string[]> {
  const keys: string[] = [];
  for (let at = 0; at < length; at++) {
    keys.push(await world.make('cards', { title: `${at}`, whole: keys.at(-1) ?? null }));
  }
  return keys;
}

describe('What is deleted with other rows', () => {
  it('is in the log of a delete that is nested in another write', async () => {
    const board = await world.make('boards', { name: 'Nest' });
    const card = await world.make('cards', { title: 'In', board });
    const tick = await world.make('ticks', { card });
    const dot = await world.make('dots', { tick });
    await comment('dots', dot);
    const body = {
      cards: { create: [{ title: 'New' }], update: [{ id: Number(card), ticks: [] }], delete: [] },
    };
    const entries = await world.logged(() =>
      done(world.as('admin').patch(`/items/boards/${board}`, body)),
    );
    expect(brief(entries)).toEqual(
      expect.arrayContaining([
        ['delete', 'ticks', tick],
        ['delete', 'dots', dot],
      ]),
    );
    expect(entries).toHaveLength(3);
    expect(await commented()).toEqual([]);
  });

  it('is not logged if the delete is refused', async () => {
    const board = await world.make('boards', { name: 'Stays' });
    const card = await world.make('cards', { title: 'Stays', board });
    const entries = await world.logged(async () => {
      expect((await world.as('admin').delete('/items/boards', [board, '999999'])).status).toBe(403);
    });
    expect(entries).toEqual([]);
    expect((await world.as('admin').get(`/items/cards/${card}`)).status).toBe(200);
  });

  it('is shown to other users only as far as their rules allow', async () => {
    const board = await world.make('boards', { name: 'Seen' });
    const kept = await world.make('cards', { title: 'Kept', from: board, next: board });
    await world.make('cards', { title: 'Gone', board });
    await done(world.as('lou').delete(`/items/boards/${board}`));
    const filter = JSON.stringify({ collection: { _eq: 'cards' } });
    const reply = await world
      .as('lou')
      .get(`/activity?sort=-id&limit=1&filter=${filter}&fields=item,action,fields,before,after`);
    expect(reply.data).toEqual([
      {
        ...{ item: kept, action: 'update', fields: ['from'] },
        ...{ before: { from: Number(board) }, after: { from: null } },
      },
    ]);
  });

  it('takes one statement for each level, and none if nothing refers to the row', async () => {
    const admin = world.as('admin');
    const sticker = await world.make('stickers', { name: 'Alone' });
    const tick = await world.make('ticks', {
      card: await world.make('cards', { title: 'Deep' }),
    });
    const dot = await world.make('dots', { tick });
    const plain = await statementsOf(() => done(admin.delete(`/items/stickers/${sticker}`)));
    const leaf = await statementsOf(() => done(admin.delete(`/items/dots/${dot}`)));
    expect(leaf).toHaveLength(plain.length);
    const board = await world.make('boards', { name: 'Empty' });
    const empty = await statementsOf(() => done(admin.delete(`/items/boards/${board}`)));
    expect(empty).toHaveLength(plain.length + 1);
  });

  it('is logged to a limited depth; deeper rows are still deleted, with their comments', async () => {
    const [first = '', ...others] = await chain(30);
    await comment('cards', others.at(-1) ?? '');
    const entries = await world.logged(() =>
      done(world.as('admin').delete(`/items/cards/${first}`)),
    );
    expect(brief(entries)).toEqual(
      [first, ...others.slice(0, 20)].map((item) => ['delete', 'cards', item]),
    );
    expect((await world.as('admin').get(`/items/cards/${others.at(-1)}`)).status).toBe(403);
    expect(await commented()).toEqual([]);
  });

  it('is logged once, even if several requests delete it at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const board = await world.make('boards', { name: 'Race' });
      const card = await world.make('cards', { title: 'Race', board });
      const tick = await world.make('ticks', { card });
      const entries = await world.logged(() =>
        Promise.all([
          world.as('admin').delete(`/items/boards/${board}`),
          world.as('admin').delete(`/items/cards/${card}`),
          world.as('admin').delete(`/items/ticks/${tick}`),
        ]),
      );
      for (const gone of [
        ['boards', board],
        ['cards', card],
        ['ticks', tick],
      ]) {
        const matching = brief(entries).filter(
          (each) => JSON.stringify(each) === JSON.stringify(['delete', ...gone]),
        );
        expect(matching).toHaveLength(1);
      }
    }
  });

  it('is logged up to a number of rows; the others are still deleted, with their comments', async () => {
    const board = await world.make('boards', { name: 'Many' });
    const { database } = world.app;
    await database.query(
      `WITH made AS (
        INSERT INTO cards (title, board) SELECT repeat('x', 5000), $1 FROM generate_series(1, 4000) RETURNING id
      ) INSERT INTO ticks (card) SELECT id FROM made`,
      [Number(board)],
    );
    const [last] = await database.query<{ id: string; card: string }>(
      'SELECT id::text, card::text FROM ticks ORDER BY card DESC LIMIT 1',
    );
    await comment('cards', last?.card ?? '');
    await comment('ticks', last?.id ?? '');
    const other = await world.make('cards', { title: 'Other' });
    await comment('cards', other);
    const entries = await world.logged(() =>
      done(world.as('admin').delete(`/items/boards/${board}`)),
    );
    expect(entries).toHaveLength(1 + 2_500);
    expect(JSON.stringify(entries).length).toBeLessThan(6_000_000);
    expect(entries[1]?.['cut']).toContain('title');
    expect(await commented()).toEqual([{ collection: 'cards', item: other }]);
    const [left] = await database.query('SELECT count(*)::int4 AS n FROM cards WHERE board = $1', [
      Number(board),
    ]);
    expect(left).toEqual({ n: 0 });
  });
});
