import { Broadcast, type CommitMark } from '../../src/database/broadcast/broadcast';
import type { Database, Tx } from '../../src/database/database';
import { alone, quietly, TransactionEnded } from '../../src/database/open-transaction';
import { INSERT, type LotsDatabase, NAMES, often, useLots } from './lots-database';

let lots: LotsDatabase;
let database: Database;

useLots((opened) => {
  lots = opened;
  ({ database } = opened);
});

describe('a statement that is sent with the COMMIT', () => {
  const storing = (...last: readonly (readonly unknown[])[]): Promise<void> =>
    database.transaction(async (tx) => {
      await tx.query(INSERT, [1, 'one']);
      for (const values of last) tx.withCommit(INSERT, values);
    });

  it('is kept together with the earlier ones', async () => {
    await storing([2, 'two'], [3, 'three']);
    expect(await lots.ids()).toEqual([1, 2, 3]);
  });

  it('prevents the commit if it fails', async () => {
    await expect(storing([2, 'two'], [1, 'again'], [3, 'three'])).rejects.toMatchObject({
      code: '23505',
    });
    expect(await lots.ids()).toEqual([]);
  });

  it('is sent even if there was no earlier statement', async () => {
    await database.transaction((tx) => Promise.resolve(tx.withCommit(INSERT, [1, 'one'])));
    expect(await lots.ids()).toEqual([1]);
  });

  it('can be sent again on a connection that skipped it', async () => {
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
    expect(await lots.ids()).toEqual([1, 2]);
  });
});

describe('retried work that the database rolls back because of others', () => {
  const CONTENDED = {
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'the request conflicts with others' },
  };
  const deadlock = `DO $$ BEGIN RAISE 'a deadlock' USING ERRCODE = '40P01'; END $$`;

  it('runs again, and is committed once', async () => {
    let tried = 0;
    await database.retriedTransaction(async (tx) => {
      await tx.query(INSERT, [1, 'one']);
      if ((tried += 1) < 3) await tx.query(deadlock);
    });
    expect([tried, await lots.ids()]).toEqual([3, [1]]);
  });

  it('is given up after four tries', async () => {
    let tried = 0;
    const work = database.retriedTransaction(async (tx) => {
      tried += 1;
      await tx.query(deadlock);
    });
    await expect(work).rejects.toMatchObject(CONTENDED);
    expect(tried).toBe(4);
  });

  it('does not run again once it is committed, whatever fails after the commit', async () => {
    let tried = 0;
    const work = database.retriedTransaction(async (tx) => {
      tried += 1;
      await tx.query(INSERT, [tried, 'one']);
      tx.afterCommit(async () => void (await database.query(deadlock)));
    });
    await expect(work).rejects.toMatchObject(CONTENDED);
    expect([tried, await lots.ids()]).toEqual([1, [1]]);
  });
});

describe('a statement that may be a transaction of its own', () => {
  const failing = (
    work: (tx: Tx) => Promise<unknown>,
    options?: { readonly withoutTimeouts: boolean },
  ): Promise<unknown> =>
    database.transaction(async (tx) => {
      await work(tx);
      throw new Error('too late');
    }, options);

  it.each<[string, readonly number[], (tx: Tx) => Promise<unknown>]>([
    [
      'is kept if it is the first one, whatever comes later',
      [1],
      (tx) => alone(tx).query(INSERT, [1, 'one']),
    ],
    [
      'is rolled back with the earlier ones',
      [],
      async (tx) => [await tx.query(NAMES, [0]), await alone(tx).query(INSERT, [1, 'one'])],
    ],
    [
      'does not keep the later ones',
      [1],
      async (tx) => [await alone(tx).query(INSERT, [1, 'one']), await tx.query(INSERT, [2, 'two'])],
    ],
    [
      'is not kept if it fails',
      [],
      async (tx) => [
        await alone(tx)
          .query('INSERT INTO lots SELECT n, $1 FROM unnest(ARRAY[1, 1]) n', ['one'])
          .catch(() => []),
        await tx.query(NAMES, [0]),
      ],
    ],
  ])('%s', async (_, kept, work) => {
    await expect(failing(work)).rejects.toThrow('too late');
    expect(await lots.ids()).toEqual(kept);
  });

  it('is part of a transaction that begins with more than a BEGIN', async () => {
    const work = (tx: Tx): Promise<unknown> => alone(tx).table(INSERT, [1, 'one']);
    await expect(failing(work, { withoutTimeouts: true })).rejects.toThrow('too late');
    expect(await lots.ids()).toEqual([]);
  });

  it('leaves nothing open', async () => {
    const begun =
      'SELECT count(*)::int AS open FROM pg_stat_activity WHERE state LIKE $1 AND datname = current_database()';
    await database.transaction((tx) => alone(tx).query(INSERT, [1, 'one']));
    expect(await database.query(begun, ['idle in transaction%'])).toEqual([{ open: 0 }]);
  });

  it('is refused when the transaction has ended', async () => {
    const kept = await database.transaction((tx) => Promise.resolve(alone(tx)));
    await expect(kept.query(INSERT, [1, 'one'])).rejects.toThrow(TransactionEnded);
    expect(await lots.ids()).toEqual([]);
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
      'is asked if a statement is sent with the COMMIT',
      true,
      async (tx) => tx.withCommit(INSERT, [1, 'one']),
    ],
    [
      'is asked after a statement that could publish and one that could not',
      true,
      async (tx) => [await tx.query(NAMES, [0]), await quietly(tx).query(INSERT, [1, 'one'])],
    ],
    ['is not asked after statements that could not', false, (tx) => quietly(tx).query(NAMES, [0])],
    [
      'is not asked after a statement that is a transaction of its own',
      false,
      (tx) => alone(tx).query(NAMES, [0]),
    ],
    ['is not asked if nothing was sent', false, async () => undefined],
  ])('%s', async (_, asked, work) => {
    awaitDelivery.mockReset();
    await lots.open({ broadcast: new Published() }).transaction(work);
    expect(awaitDelivery).toHaveBeenCalledTimes(asked ? 1 : 0);
  });

  it('cannot be influenced after the end: `quietly` is refused', async () => {
    const kept = await database.transaction((tx) => Promise.resolve(quietly(tx)));
    await expect(kept.query(INSERT, [1, 'one'])).rejects.toThrow(TransactionEnded);
    await expect(kept.table(NAMES, [0])).rejects.toThrow(TransactionEnded);
  });
});
