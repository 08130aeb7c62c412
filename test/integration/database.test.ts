import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { ServiceUnavailable } from '../../src/common/errors';
import { createDataSource } from '../../src/database/data-source';
import { Database } from '../../src/database/database';
import { makeTestStorage, onPostgres, type TestStorage } from '../support';

let test: TestStorage;
let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  Logger.overrideLogger(false);
  test = await makeTestStorage();
  dataSource = await createDataSource(test.storage, { entities: [], migrations: [] }).initialize();
  database = new Database((dataSource.driver as unknown as { master: Pool }).master);
  await database.query('CREATE TABLE notes (id int PRIMARY KEY, text text)');
});

afterAll(async () => {
  await dataSource.destroy();
  await test.drop();
});

beforeEach(() => database.query('TRUNCATE notes'));

const insert = 'INSERT INTO notes (id, text) VALUES ($1, $2)';
const count = async (): Promise<unknown> =>
  (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM notes'))[0]?.n;

describe('values', () => {
  it('that JavaScript would round or change are read as text', async () => {
    const [row] = await database.query(`SELECT
      '2024-02-29 12:34:56.789+02'::timestamptz AS tz, '2024-02-29 12:34:56'::timestamp AS ts,
      '2024-02-29'::date AS day, '12:34:56'::time AS time,
      9007199254740993::bigint AS big, 0.10000000000000000001::numeric AS exact,
      ARRAY['2024-02-29'::date, NULL] AS days, ARRAY[9007199254740993::bigint] AS bigs,
      1.5::float8 AS double, 7::int AS int, true AS yes, '{"a": [1]}'::jsonb AS json, NULL AS none`);
    expect(row).toEqual({
      tz: '2024-02-29 10:34:56.789+00',
      ts: '2024-02-29 12:34:56',
      day: '2024-02-29',
      time: '12:34:56',
      big: '9007199254740993',
      exact: '0.10000000000000000001',
      days: ['2024-02-29', null],
      bigs: ['9007199254740993'],
      double: 1.5,
      int: 7,
      yes: true,
      json: { a: [1] },
      none: null,
    });
  });

  it('of time are in UTC, whatever the time zone of the host', async () => {
    expect(await database.query("SELECT current_setting('TimeZone') AS zone")).toEqual([
      { zone: 'UTC' },
    ]);
    expect(await dataSource.query("SELECT '2024-01-01T00:00:00Z'::timestamptz AS t")).toEqual([
      { t: '2024-01-01 00:00:00+00' },
    ]);
  });

  it('are sent as parameters, never as text of the statement', async () => {
    const hostile = `'); DROP TABLE notes; --`;
    await database.query(insert, [1, hostile]);
    expect(await database.query('SELECT text FROM notes')).toEqual([{ text: hostile }]);
  });
});

describe('statements', () => {
  const preparedNames = async (): Promise<string[]> => {
    const sql = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%marked%'";
    return (await database.query<{ name: string }>(sql)).map(({ name }) => name);
  };

  it('are prepared if they are repeated, and not if they are sent once', async () => {
    await database.query('SELECT 1 AS marked_once');
    for (let time = 0; time < 4; time += 1)
      await database.query('SELECT $1::int AS marked', [time]);
    const names = (await preparedNames()).filter((name) => name !== '');
    expect(names).toHaveLength(1);
  });

  it('that fail leave the connection usable', async () => {
    for (let time = 0; time < 4; time += 1) {
      await expect(database.query('SELECT 1 / $1::int AS q', [0])).rejects.toMatchObject({
        code: '22012',
      });
    }
    await expect(database.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
    expect(await database.query('SELECT 1 / $1::int AS q', [1])).toEqual([{ q: 1 }]);
  });

  it('prepared or not, are bounded in number', async () => {
    for (let index = 0; index < 1_100; index += 1) {
      for (let time = 0; time < 3; time += 1) await database.query(`SELECT ${index} AS n`);
    }
    const [row] = await database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM pg_prepared_statements',
    );
    expect(row?.n).toBeLessThanOrEqual(1_001);
    expect(await database.query('SELECT 42 AS n')).toEqual([{ n: 42 }]);
  });
});

describe('a read for a client that may disconnect', () => {
  it('has returned its connection when it is answered: the next read gets the same one', async () => {
    const reading = database.readingFor({ left: { aborted: false }, requester: '' });
    const { master } = dataSource.driver as unknown as { master: Pool };
    for (const text of ['SELECT 1 AS n', 'SELECT 2 AS n', 'SELECT 1 AS n']) {
      await reading.query(text);
      expect(master.idleCount).toBe(master.totalCount);
    }
    await expect(reading.query('SELECT 1 / 0')).rejects.toThrow('zero');
    expect(master.idleCount).toBe(master.totalCount);
  });
});

describe('a transaction', () => {
  it('keeps its changes, and then runs what was registered to follow', async () => {
    const order: unknown[] = [];
    const result = await database.transaction(async (tx) => {
      tx.afterCommit(async () => void order.push(['after', await count()]));
      await tx.query(insert, [1, 'a']);
      order.push('inside');
      return 'done';
    });
    expect(result).toBe('done');
    expect(order).toEqual(['inside', ['after', 1]]);
  });

  it('keeps nothing, and runs nothing afterwards, if its work throws', async () => {
    const after = jest.fn();
    const work = database.transaction(async (tx) => {
      tx.afterCommit(after);
      await tx.query(insert, [1, 'a']);
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    expect(await count()).toBe(0);
    expect(after).not.toHaveBeenCalled();
  });

  it('does not count as committed if a failure inside was swallowed', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(insert, [1, 'a']);
      await tx.query(insert, [1, 'again']).catch(() => undefined);
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await count()).toBe(0);
  });

  it('never mixes with another, nor with a statement outside of it', async () => {
    const work = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? database.query(insert, [index, 'alone'])
        : database
            .transaction(async (tx) => {
              await tx.query(insert, [index, 'first']);
              await new Promise(setImmediate);
              await tx.query(insert, [100 + index, 'second']);
              if (index % 4 === 1) throw new Error('undo');
            })
            .catch(() => undefined),
    );
    await Promise.all(work);
    const kept = await database.query<{ id: number }>('SELECT id FROM notes ORDER BY id');
    const expected = [0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16, 18, 19, 103, 107, 111, 115, 119];
    expect(kept.map(({ id }) => id)).toEqual(expected);
  });

  it("of TypeORM's shares the pool", async () => {
    await dataSource.transaction(async (manager) => {
      await manager.query(insert, [1, 'orm']);
    });
    expect(await database.query('SELECT id FROM notes')).toEqual([{ id: 1 }]);
  });
});

describe('a connection that breaks', () => {
  it('is reported as an unavailable service, and the next statement has another', async () => {
    const broken = database.transaction(async (tx) => {
      await tx.query(insert, [1, 'lost']);
      const { master } = dataSource.driver as unknown as { master: PoolInside };
      for (const client of master._clients) client.connection.stream.destroy();
      await tx.query(insert, [2, 'lost']);
    });
    await expect(broken).rejects.toBeInstanceOf(ServiceUnavailable);
    // Idle connections notice it later.
    await sleep(100);
    expect(await count()).toBe(0);
  });
});

const READ_ONLY = `DO $$ BEGIN RAISE 'read-only' USING ERRCODE = 'read_only_sql_transaction'; END $$`;

it.each<[string, () => Promise<unknown>]>([
  ['a statement', () => database.query(READ_ONLY)],
  ['a transaction', () => database.transaction((tx) => tx.query(READ_ONLY))],
  [
    'a later statement of one',
    () =>
      database.transaction(async (tx) => [await tx.query('SELECT 1'), await tx.query(READ_ONLY)]),
  ],
])(
  'a connection to a database that has become read-only is replaced: another server may have taken over (%s)',
  async (_, run) => {
    const server = async (): Promise<unknown> =>
      (await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid;
    const before = await server();
    await expect(run()).rejects.toBeInstanceOf(ServiceUnavailable);
    const after = await server();
    if (onPostgres() !== undefined) expect(after).not.toBe(before);
  },
);

it.each([
  ['a session that was idle', 'idle_session_timeout'],
  ['a transaction that was idle', 'idle_in_transaction_session_timeout'],
  ['every session of a dropped database', 'database_dropped'],
])('a server that ends %s while a statement arrives is unavailable', async (_, condition) => {
  const ended = `DO $$ BEGIN RAISE 'ended' USING ERRCODE = '${condition}'; END $$`;
  await expect(database.query(ended)).rejects.toBeInstanceOf(ServiceUnavailable);
});

interface PoolInside {
  _clients: { connection: { stream: { destroy: () => void } } }[];
}
