import type { Queries } from '../../src/database/database';

const WAITING = `
  SELECT count(*)::int4 AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** How many sessions of the database wait for a lock. */
export async function countLockWaits(database: Queries): Promise<number> {
  const [row] = await database.query<{ waiting: number }>(WAITING);
  return row?.waiting ?? 0;
}
