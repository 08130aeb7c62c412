import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ClientLeft } from '../../src/common/errors';
import type { SqlRow } from '../../src/database/database';
import { onPostgres, describeOnPostgres } from '../support';
import { ALSO_HELD, AskedReads, FREE, HELD, pidsOf, WAIT, WHERE } from './asked-reads';

let asked: AskedReads;

/** The embedded database has one connection. */
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

beforeAll(async () => {
  if (onPostgres() === undefined) return;
  Logger.overrideLogger(false);
  asked = await AskedReads.open();
  await asked.learn(WHERE, [0]);
});

beforeEach(() => asked?.learn(WAIT, [FREE]));
afterEach(() => asked?.allGivenBack());
afterAll(() => asked?.close());

describeOnPostgres('reads that are requested at once', () => {
  it('share a connection if they were seen before, and each gets its own rows', async () => {
    const rows = await asked.readAll(WHERE, [1, 2, 3]);
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(pidsOf(rows)).toBe(1);
    expect(asked.pool.idleCount).toBe(asked.pool.totalCount);
  });

  it('have a connection each if they were never seen before', async () => {
    const texts = numbers(3).map((n) => `SELECT pg_backend_pid() AS pid, ${n} AS never_seen`);
    const rows = await Promise.all(texts.map((text) => asked.read(text)));
    expect(pidsOf(rows.flat())).toBe(3);
  });

  it('have a connection each if they usually take long', async () => {
    const long = 'SELECT pg_backend_pid() AS pid, $1::int AS takes_long';
    await asked.learn(long, [0], 100);
    const [one, two, three] = await Promise.all([
      asked.readAll(WHERE, [1]),
      asked.readAll(long, [2, 3]),
      asked.readAll(WHERE, [4]),
    ]);
    expect([...one, ...three].map(({ n }) => n)).toEqual([1, 4]);
    expect([pidsOf([...one, ...three]), pidsOf(two)]).toEqual([1, 2]);
    expect(pidsOf([...one, ...two, ...three])).toBe(3);
  });

  it('have a connection each if their answers usually take long to read', async () => {
    const large = `SELECT pg_backend_pid() AS pid, repeat('x', 2000000) AS x, $1::int AS n`;
    await asked.learn(large, [0]);
    expect(pidsOf(await asked.readAll(large, [1, 2]))).toBe(2);
  });

  it('share a connection if they are of few rows, however long those of many rows take', async () => {
    const some =
      'SELECT pg_backend_pid() AS pid FROM generate_series(1, $1::int) FETCH FIRST 1 ROW ONLY';
    const read = async (rows: number): Promise<unknown> =>
      (await asked.reading.table(some, [rows], undefined, rows)).rows[0]?.[0];
    for (let time = 0; time < 3; time += 1) await read(5);
    asked.seeming = 100;
    await read(10_000);
    asked.seeming = 0;
    const [few, many, alsoFew] = await Promise.all([read(5), read(10_000), read(5)]);
    expect(few).toBe(alsoFew);
    expect(many).not.toBe(few);
  });

  it('have several connections if each would wait too long for the others', async () => {
    const some = 'SELECT pg_backend_pid() AS pid, $1::int AS takes_some_time';
    await asked.learn(some, [0], 2);
    expect(pidsOf(await asked.readAll(some, [1, 2, 3, 4]))).toBe(2);
  });

  it('share a connection again when they no longer take long', async () => {
    const long = 'SELECT pg_backend_pid() AS pid, $1::int AS took_long';
    await asked.learn(long, [0], 100);
    while (pidsOf(await asked.readAll(long, [1, 2])) > 1) await asked.learn(long, [0]);
  });

  it('have as many connections as they need if they are many', async () => {
    const rows = await asked.readAll(WHERE, numbers(50));
    expect(rows.map(({ n }) => n)).toEqual(numbers(50));
    expect(pidsOf(rows)).toBe(4);
  });

  it('fail alone, and leave the connection to the others', async () => {
    const divide = 'SELECT 6 / $1::int AS q, pg_backend_pid() AS pid';
    await asked.learn(divide, [1]);
    const before = asked.pool.totalCount;
    const results = await Promise.allSettled([1, 0, 2].map((n) => asked.read(divide, [n])));
    expect(results).toMatchObject([
      { value: [{ q: 6 }] },
      { reason: { code: '22012' } },
      { value: [{ q: 3 }] },
    ]);
    expect(pidsOf(await asked.readAll(divide, [1, 2, 3]))).toBe(1);
    expect(asked.pool.totalCount).toBe(before);
  });

  it('are each checked against their own limit', async () => {
    const text = "SELECT repeat('x', $1::int) AS text, pg_backend_pid() AS pid";
    await asked.learn(text, [1]);
    const refuse = (limit: number) => (characters: number) => {
      if (characters > limit) throw new RangeError('too much');
    };
    const tables = [1, 2, 3].map((size) =>
      asked.reading.table(text, [size], refuse(size === 2 ? 1 : size)),
    );
    const [one, two, three] = await Promise.allSettled(tables);
    expect(one).toMatchObject({ value: { rows: [['x', expect.any(Number)]] } });
    expect(two).toMatchObject({ reason: { message: 'too much' } });
    expect(three).toMatchObject({ value: { rows: [['xxx', expect.any(Number)]] } });
  });
});

describeOnPostgres('a read that takes longer than usual', () => {
  it('does not delay those that were sent behind it', async () => {
    const order: unknown[] = [];
    const long = asked.read(WAIT, [HELD]).then(() => order.push('long'));
    const others = [1, 2, 3].map((n) => asked.read(WHERE, [n]).then(() => order.push('other')));
    expect(await asked.lent()).toBe(1);
    await Promise.all(others);
    await asked.letGo(long);
    expect(order).toEqual(['other', 'other', 'other', 'long']);
  });

  it('does not have those weighed twice that are read again elsewhere', async () => {
    const text = "SELECT repeat('x', $1::int) AS text";
    await asked.learn(text, [1]);
    const weights: number[] = [];
    const long = asked.read(WAIT, [HELD]);
    const others = [10, 11].map((size) =>
      asked.reading.table(text, [size], (weight) => weights.push(weight)),
    );
    expect(await asked.lent()).toBe(1);
    expect((await Promise.all(others)).map(({ rows }) => rows)).toEqual([
      [['x'.repeat(10)]],
      [['x'.repeat(11)]],
    ]);
    await asked.letGo(long);
    expect(weights.toSorted((one, other) => one - other)).toEqual([10, 11]);
  });
});

describeOnPostgres('reads that take long', () => {
  const waits = (requester: string, lock: number): Promise<SqlRow[]> =>
    asked.read(WAIT, [lock], undefined, requester);

  it('leave connections to other requesters, and some to short reads', async () => {
    await asked.learn(WHERE, [0]);
    await asked.learn(WAIT, [FREE], 1_000);
    const many = Array.from({ length: 12 }, () => waits('a', HELD));
    expect(await asked.lent()).toBe(5);
    const others = ['b', 'c', 'd'].map((requester) => waits(requester, ALSO_HELD));
    expect(await asked.lent()).toBe(7);
    expect(await asked.read(WHERE, [1])).toHaveLength(1);
    await asked.letGo(Promise.all(many));
    expect(await asked.lent()).toBe(3);
    await asked.letGo(Promise.all(others), ALSO_HELD);
    await asked.allGivenBack();
  });
});

describeOnPostgres('a client that has disconnected', () => {
  it('has only its own statement cancelled', async () => {
    const leaving = { aborted: false };
    const gone = asked.read(WAIT, [HELD], leaving);
    // These wait too, but their clients are still connected.
    const staying = [asked.read(WAIT, [HELD]), asked.read(WAIT, [HELD])];
    const others = asked.readAll(WHERE, [1, 2, 3]);
    expect(await asked.lent()).toBe(1);
    leaving.aborted = true;
    await expect(gone).rejects.toBeInstanceOf(ClientLeft);
    expect((await others).map(({ n }) => n)).toEqual([1, 2, 3]);
    // The read without a client is cancelled: only these two are still running.
    while ((await asked.lent()) !== 2) await sleep(10);
    const rows = await asked.letGo(Promise.all(staying));
    expect(pidsOf(rows.flat())).toBe(2);
  });

  it('causes no read if it disconnected before its statement was sent', async () => {
    const next = "SELECT nextval('sent') AS n, $1::int";
    await asked.database.query('CREATE SEQUENCE sent');
    await asked.learn(next, [0]);
    const [last] = await asked.read(next, [0]);
    const leaving = { aborted: false };
    const results = [0, 1, 2].map((n) => asked.read(next, [n], n === 1 ? leaving : undefined));
    leaving.aborted = true;
    const settled = await Promise.allSettled([...results, asked.read(next, [3], leaving)]);
    expect(settled.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    ]);
    expect(settled[1]).toMatchObject({ reason: expect.any(ClientLeft) });
    expect(settled[3]).toMatchObject({ reason: expect.any(ClientLeft) });
    const [now] = await asked.read(next, [0]);
    expect(Number(now?.['n']) - Number(last?.['n'])).toBe(3);
  });
});
