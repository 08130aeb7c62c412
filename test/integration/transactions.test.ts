import type { DisconnectSignal } from '../../src/common/request/disconnect-signal';
import type { Database, Tx } from '../../src/database/database';
import { INSERT, type LotsDatabase, NAMES, often, useLots } from './lots-database';

/** The signal of a client that stays connected. */
const NEVER: DisconnectSignal = { aborted: false };

let lots: LotsDatabase;
let database: Database;

useLots((opened) => {
  lots = opened;
  ({ database } = opened);
});

describe('the first statement of a transaction', () => {
  it('that fails leaves nothing open', async () => {
    await database.query(INSERT, [1, 'one']);
    const taken = database.transaction((tx) => tx.query(INSERT, [1, 'again']));
    await expect(taken).rejects.toMatchObject({ code: '23505' });
    await database.query(INSERT, [2, 'two']);
    const [row] = await database.query('SELECT pg_current_xact_id_if_assigned() AS id');
    expect([await lots.ids(), row]).toEqual([[1, 2], { id: null }]);
  });

  it('that fails makes the later ones fail, even if its error is swallowed', async () => {
    await database.query(INSERT, [1, 'one']);
    const swallowed = database.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'again']).catch(() => undefined);
      await tx.query(INSERT, [2, 'two']);
    });
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' });
    expect(await lots.ids()).toEqual([1]);
  });

  it('may be sent at the same time as others', async () => {
    await database.transaction((tx) =>
      Promise.all([1, 2, 3].map((id) => tx.query(INSERT, [id, 'lot']))),
    );
    expect(await lots.ids()).toEqual([1, 2, 3]);
  });

  it('may be a text of several statements', async () => {
    // However often it is sent, it is not prepared.
    await often(async () => {
      await database.transaction((tx) =>
        tx.query(
          `DELETE FROM lots; INSERT INTO lots VALUES (1, 'a'); INSERT INTO lots VALUES (2, 'b')`,
        ),
      );
      expect(await lots.ids()).toEqual([1, 2]);
    });
  });

  it('may be empty', async () => {
    const empty = database.transaction(async (tx) => [await tx.query(''), await tx.query(' ', [])]);
    expect(await empty).toEqual([[], []]);
  });

  it('whose rows are too long to be read does not end the transaction', async () => {
    const tooLong = new Error('too long');
    const read = (tx: Tx): Promise<unknown> =>
      tx.table(NAMES, [0], () => {
        throw tooLong;
      });
    await database.query(INSERT, [1, 'one']);
    await expect(database.transaction(read)).rejects.toBe(tooLong);
    await database.transaction(async (tx) => {
      await expect(read(tx)).rejects.toBe(tooLong);
      await tx.query(INSERT, [2, 'two']);
    });
    expect(await lots.ids()).toEqual([1, 2]);
  });

  it('is not run if its value cannot be serialised, and is run when it can', async () => {
    const circle: Record<string, unknown> = {};
    circle['in'] = circle;
    const store = (name: unknown): Promise<unknown> =>
      database.transaction((tx) => tx.query('INSERT INTO lots VALUES (1, $1::text)', [name]));
    await expect(store(circle)).rejects.toThrow(/circular/i);
    expect(await lots.ids()).toEqual([]);
    await often(() => store('one').then(() => database.query('TRUNCATE lots')));
    await expect(store(circle)).rejects.toThrow(/circular/i);
    expect(await lots.ids()).toEqual([]);
    await store('one');
    expect(await lots.ids()).toEqual([1]);
  });

  it('and those after it are not run if the transaction could not begin', async () => {
    // A separate `Database`, since what it learns about connections must not affect other tests.
    const other = lots.open();
    await often(() => other.transaction((tx) => tx.query('SELECT 1')));
    // The server forgets the prepared BEGIN, as behind a pooler that shares sessions.
    await other.query('DEALLOCATE ALL');
    const swallowed = other.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'one']).catch(() => undefined);
      await tx.query(INSERT, [2, 'two']).catch(() => undefined);
    });
    await expect(swallowed).rejects.toMatchObject({ code: '26000' });
    expect(await lots.ids()).toEqual([]);
    await other.transaction((tx) => tx.query(INSERT, [3, 'three']));
    expect(await lots.ids()).toEqual([3]);
  });
});

describe('a statement that waits for the first one', () => {
  it.each<[string, (tx: Tx) => readonly Promise<unknown>[]]>([
    ['with values', (tx) => [tx.query(INSERT, [1, 'one']), tx.query(INSERT, [2, 'two'])]],
    ['without values', (tx) => [tx.query(`INSERT INTO lots VALUES (1, 'one')`)]],
  ])('%s, is not run after the end of a refused transaction', async (_, begin) => {
    const refused = database.transaction((tx) =>
      Promise.all([...begin(tx), Promise.reject(new Error('refused'))]),
    );
    await expect(refused).rejects.toThrow('refused');
    await database.transaction(async (tx) => void (await tx.query('SELECT 1')));
    expect(await lots.ids()).toEqual([]);
  });

  it('is in the transaction, even if nobody awaits it', async () => {
    const other: Promise<unknown>[] = [];
    await database.transaction((tx) => {
      other.push(tx.query(INSERT, [1, 'one']));
      other.push(tx.query('SELECT pg_current_xact_id()::text AS id'));
      return Promise.resolve();
    });
    const [, row] = await Promise.all(other);
    expect(row).toEqual(await database.query('SELECT xmin::text AS id FROM lots'));
  });
});

describe('a statement that is sent often', () => {
  it('answers with the same columns, as objects and as lists', async () => {
    await database.query(INSERT, [1, 'one']);
    await often(async () => {
      expect(await database.query(NAMES, [0])).toEqual([{ id: 1, name: 'one' }]);
      expect(await database.table(NAMES, [0])).toEqual({
        names: ['id', 'name'],
        rows: [[1, 'one']],
      });
      expect(await database.table(NAMES, [9])).toEqual({ names: ['id', 'name'], rows: [] });
      expect(await database.query('UPDATE lots SET name = $1', ['one'])).toEqual([]);
    });
  });

  it('may return different columns each time if the server does not check them', async () => {
    const read = (select: string): Promise<unknown[]> =>
      database.transaction(async (tx) => {
        await tx.query(`DECLARE found CURSOR FOR ${select}`);
        return tx.query('FETCH ALL FROM found');
      });
    await often(() => read('SELECT 1 AS one'));
    expect(await read('SELECT true AS yes, 2 AS two')).toEqual([{ yes: true, two: 2 }]);
  });

  it('must be a text', async () => {
    const none = 42 as unknown as string;
    await expect(database.query(none)).rejects.toThrow(TypeError);
    await expect(database.transaction((tx) => tx.query(none, [1]))).rejects.toThrow(TypeError);
    expect(await database.query('SELECT $1::int AS one', [1])).toEqual([{ one: 1 }]);
  });

  it.each([
    ['alone', () => database.query(NAMES, [0])],
    ['for a client', () => database.readingFor({ left: NEVER, requester: '' }).query(NAMES, [0])],
  ])('%s, is prepared again if the type of its column has changed', async (_, read) => {
    await database.query(INSERT, [1, '7']);
    await often(read);
    await database.query('ALTER TABLE lots ALTER COLUMN name TYPE int USING name::int');
    try {
      expect(await read()).toEqual([{ id: 1, name: 7 }]);
    } finally {
      await database.query('ALTER TABLE lots ALTER COLUMN name TYPE text');
    }
  });
});
