import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Database, Queries, Tx } from '../../src/database/database';

const WAITING = `
  SELECT count(*)::int4 AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** How many sessions of the database wait for a lock. */
export async function countLockWaits(database: Pick<Queries, 'query'>): Promise<number> {
  const [row] = await database.query<{ waiting: number }>(WAITING);
  return row?.waiting ?? 0;
}

/** The same, asked by a client of its own: for tests in which the service has no connection left. */
export const countLockWaitsBy = (client: Client): Promise<number> =>
  countLockWaits({ query: async (text: string) => (await client.query(text)).rows as never });

/** Until so many statements wait for a lock, or the request is answered. @returns whether they wait */
export async function untilLockWaits(
  database: Pick<Queries, 'query'>,
  count: number,
  reply: Promise<unknown>,
): Promise<boolean> {
  const settled = { is: false };
  void reply.finally(() => (settled.is = true));
  while (!settled.is && (await countLockWaits(database)) < count) await wait(10);
  return !settled.is;
}

/**
 * Changes or locks rows in a transaction, sends a request, and commits once the request waits for a lock. On PostgreSQL
 * only: the embedded database has one connection.
 * @param then what the transaction does before it commits
 */
export async function replyAfterWait<T>(
  database: Database,
  change: (tx: Tx) => Promise<unknown>,
  send: () => Promise<T>,
  then?: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const { reply } = await database.transaction(async (tx) => {
    await change(tx);
    const sent = send();
    expect(await untilLockWaits(database, 1, sent)).toBe(true);
    await then?.(tx);
    return { reply: () => sent };
  });
  return reply();
}
