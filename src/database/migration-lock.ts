import type { QueryRunner } from 'typeorm';
import { tryAdvisoryLock } from './advisory-locks';
import { LIFT_TIMEOUTS } from './lift-timeouts';

/**
 * Begins a transaction that holds the lock for schema changes until its end: behind a pooler a session lock would stay
 * on a connection that others use by then.
 * @returns false where another process has the lock: no transaction has begun
 */
export async function beginLocked(runner: QueryRunner): Promise<boolean> {
  await runner.startTransaction();
  try {
    for (const statement of LIFT_TIMEOUTS) await runner.query(statement);
    if (await takeLock(runner)) return true;
  } catch (error) {
    await rollBackQuietly(runner);
    throw error;
  }
  await runner.rollbackTransaction();
  return false;
}

async function takeLock(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(tryAdvisoryLock('migrations'))) as { ours: boolean }[];
  return rows[0]?.ours === true;
}

/** Ends the transaction that has begun: commits what the work has done, or rolls it back where that fails. */
export async function commitWork<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await rollBackQuietly(runner);
    throw error;
  }
}

/** So that the first error is reported, even where the connection is gone. */
const rollBackQuietly = (runner: QueryRunner): Promise<void> =>
  runner.rollbackTransaction().catch(() => undefined);
