import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { Broadcast, type CommitMark } from '../../src/database/broadcast/broadcast';
import { createDataSource } from '../../src/database/data-source';
import { Database, type Tx } from '../../src/database/database';
import type { DisconnectSignal } from '../../src/common/request/disconnect-signal';
import { quietly, TransactionEnded } from '../../src/database/open-transaction';
import { makeTestStorage, onPostgres, type TestStorage } from '../support';

const INSERT = 'INSERT INTO lots (id, name) VALUES ($1, $2)';
const NAMES = 'SELECT id, name FROM lots WHERE id >= $1 ORDER BY id';
/** Of a client that stays. */
const NEVER: DisconnectSignal = { aborted: false };
/** Until a statement is prepared. */
const OFTEN = 4;

let storage: TestStorage;
let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  Logger.overrideLogger(false);
  storage = await makeTestStorage();
  dataSource = await createDataSource(storage.storage, {
    entities: [],
    migrations: [],
  }).initialize();
  database = open();
  await database.query('CREATE TABLE lots (id int PRIMARY KEY, name text)');
});

afterAll(async () => {
  await dataSource.destroy();
  await storage.drop();
});

beforeEach(() => database.query('TRUNCATE lots'));

function open(options: { readonly broadcast?: Broadcast } = {}): Database {
  const { master } = dataSource.driver as unknown as { master: Pool };
  return new Database(master, { pipelines: onPostgres() !== undefined, ...options });
}

const ids = async (): Promise<unknown[]> =>
  (await database.query<{ id: number }>('SELECT id FROM lots ORDER BY id')).map(({ id }) => id);

async function often(work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < OFTEN; time++) await work();
}

describe('the first statement of a transaction', () => {
  it('that fails leaves nothing open', async () => {
    await database.query(INSERT, [1, 'one']);
    const taken = database.transaction((tx) => tx.query(INSERT, [1, 'again']));
    await expect(taken).rejects.toMatchObject({ code: '23505' });
    await database.query(INSERT, [2, 'two']);
    const [row] = await database.query('SELECT pg_current_xact_id_if_assigned() AS id');
    expect([await ids(), row]).toEqual([[1, 2], { id: null }]);
  });

  it('that fails takes the later ones with it, however the failure is taken', async () => {
    await database.query(INSERT, [1, 'one']);
    const swallowed = database.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'again']).catch(() => undefined);
      await tx.query(INSERT, [2, 'two']);
    });
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' });
    expect(await ids()).toEqual([1]);
  });

  it('may be sent beside others', async () => {
    await database.transaction((tx) =>
      Promise.all([1, 2, 3].map((id) => tx.query(INSERT, [id, 'lot']))),
    );
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('may be a text of several', async () => {
    await database.transaction((tx) =>
      tx.query(`INSERT INTO lots VALUES (1, 'a'); INSERT INTO lots VALUES (2, 'b')`),
    );
    expect(await ids()).toEqual([1, 2]);
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
    expect(await ids()).toEqual([1, 2]);
  });

  it('is not run where its value cannot be written, and is when it can', async () => {
    const circle: Record<string, unknown> = {};
    circle['in'] = circle;
    const store = (name: unknown): Promise<unknown> =>
      database.transaction((tx) => tx.query('INSERT INTO lots VALUES (1, $1::text)', [name]));
    await expect(store(circle)).rejects.toThrow(/circular/i);
    expect(await ids()).toEqual([]);
    await often(() => store('one').then(() => database.query('TRUNCATE lots')));
    await expect(store(circle)).rejects.toThrow(/circular/i);
    expect(await ids()).toEqual([]);
    await store('one');
    expect(await ids()).toEqual([1]);
  });

  it('and those after it are not run where the transaction could not begin', async () => {
    // What it learns of the connections must not reach other tests.
    const other = open();
    await often(() => other.transaction((tx) => tx.query('SELECT 1')));
    // The server forgets the prepared BEGIN, as a pooler does that shares sessions.
    await other.query('DEALLOCATE ALL');
    const swallowed = other.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'one']).catch(() => undefined);
      await tx.query(INSERT, [2, 'two']).catch(() => undefined);
    });
    await expect(swallowed).rejects.toMatchObject({ code: '26000' });
    expect(await ids()).toEqual([]);
    await other.transaction((tx) => tx.query(INSERT, [3, 'three']));
    expect(await ids()).toEqual([3]);
  });
});

describe('a statement that waits for the first one', () => {
  it.each<[string, (tx: Tx) => readonly Promise<unknown>[]]>([
    ['with values', (tx) => [tx.query(INSERT, [1, 'one']), tx.query(INSERT, [2, 'two'])]],
    ['without values', (tx) => [tx.query(`INSERT INTO lots VALUES (1, 'one')`)]],
  ])('%s, is not run after the end of a transaction that is refused', async (_, begin) => {
    const refused = database.transaction((tx) =>
      Promise.all([...begin(tx), Promise.reject(new Error('refused'))]),
    );
    await expect(refused).rejects.toThrow('refused');
    await database.transaction(async (tx) => void (await tx.query('SELECT 1')));
    expect(await ids()).toEqual([]);
  });

  it('is in the transaction, even where nobody awaits it', async () => {
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

describe('what goes with the COMMIT', () => {
  const storing = (...last: readonly (readonly unknown[])[]): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'one']);
      for (const values of last) tx.withCommit(INSERT, values);
    });

  it('is kept with what came before', async () => {
    await storing([2, 'two'], [3, 'three']);
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('keeps it from being stored where it fails', async () => {
    await expect(storing([2, 'two'], [1, 'again'], [3, 'three'])).rejects.toMatchObject({
      code: '23505',
    });
    expect(await ids()).toEqual([]);
  });

  it('is sent even where nothing came before', async () => {
    await database.transaction((tx) => Promise.resolve(tx.withCommit(INSERT, [1, 'one'])));
    expect(await ids()).toEqual([1]);
  });

  it('can be sent again on a connection where it was skipped', async () => {
    const one = 'INSERT INTO lots VALUES (1, $1)';
    const two = 'INSERT INTO lots VALUES (2, $1)';
    const both = (): Promise<void> =>
      database.transaction((tx) => {
        for (const text of [one, two]) tx.withCommit(text, ['lot']);
        return Promise.resolve();
      });
    await often(() => both().then(() => database.query('TRUNCATE lots')));
    database.distrustConnections();
    await database.query('SELECT 1');
    await database.query(INSERT, [1, 'taken']);
    await expect(both()).rejects.toMatchObject({ code: '23505' });
    await database.query('TRUNCATE lots');
    await both();
    expect(await ids()).toEqual([1, 2]);
  });
});

describe('whether a transaction has published something', () => {
  const awaitDelivery = jest.fn();
  const text = 'SELECT 1 AS told';

  class Published extends Broadcast {
    readonly current = true;

    override mark(): CommitMark {
      return { statement: { text, values: [] }, awaitDelivery };
    }
  }

  it.each<[string, boolean, (tx: Tx) => Promise<unknown>]>([
    ['is asked after any statement', true, (tx) => tx.query(INSERT, [1, 'one'])],
    ['is asked after one that is read as a table', true, (tx) => tx.table(NAMES, [0])],
    [
      'is asked where a statement goes with the COMMIT',
      true,
      async (tx) => tx.withCommit(INSERT, [1, 'one']),
    ],
    [
      'is asked after one that could and one that could not',
      true,
      async (tx) => [await tx.query(NAMES, [0]), await quietly(tx).query(INSERT, [1, 'one'])],
    ],
    ['is not asked after those that could not', false, (tx) => quietly(tx).query(NAMES, [0])],
    ['is not asked where nothing was sent', false, async () => undefined],
  ])('%s', async (_, asked, work) => {
    awaitDelivery.mockReset();
    await open({ broadcast: new Published() }).transaction(work);
    expect(awaitDelivery).toHaveBeenCalledTimes(asked ? 1 : 0);
  });

  it('cannot be got round when it has ended', async () => {
    const kept = await database.transaction((tx) => Promise.resolve(quietly(tx)));
    await expect(kept.query(INSERT, [1, 'one'])).rejects.toThrow(TransactionEnded);
    await expect(kept.table(NAMES, [0])).rejects.toThrow(TransactionEnded);
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

  it('may return other columns each time where the server does not see to it', async () => {
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
    ['for a client', () => database.query(NAMES, [0], NEVER)],
  ])('%s, is prepared anew where the type of its column has changed', async (_, read) => {
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
