import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { tryAdvisoryLock } from './advisory-locks';
import { forgetVanishedIn } from './marks/forget-vanished';
import type { Storage } from './storage';

const LOOK_AGAIN = 100;

/** A migration, or the one before it, may take as long as it has to. */
export const UNHURRIED = ['SET LOCAL statement_timeout = 0', 'SET LOCAL lock_timeout = 0'];

/** The migration that was done in it, if one was. */
type Turn = { readonly done: string } | 'all done' | 'another at it';

/**
 * Brings the schema up to date. Of instances that start together one does the work, the others wait for it.
 * @returns the names of the migrations that this one ran
 */
export async function migrate(dataSource: DataSource, storage: Storage): Promise<string[]> {
  // The embedded server has one process and one connection: nobody to wait for, none to spare for a lock.
  if (storage.kind !== 'postgres') {
    return (await dataSource.runMigrations()).map(({ name }) => name);
  }
  const runner = dataSource.createQueryRunner();
  const done: string[] = [];
  try {
    for (;;) {
      const turn = await takeTurn(dataSource, runner);
      if (turn === 'all done') break;
      // Whoever waited in the database would keep a connection that the one at work may need.
      if (turn === 'another at it') await sleep(LOOK_AGAIN);
      else done.push(turn.done);
    }
  } finally {
    await runner.release();
  }
  await forgetVanishedIn(dataSource);
  return done;
}

/**
 * Does one migration under a lock that ends with its transaction: behind a pooler a lock of the session would stay
 * with a connection that is somebody else's by then.
 */
async function takeTurn(dataSource: DataSource, runner: QueryRunner): Promise<Turn> {
  await runner.startTransaction();
  try {
    for (const statement of UNHURRIED) await runner.query(statement);
    const turn = await migrateNext(dataSource, runner);
    await runner.commitTransaction();
    return turn;
  } catch (error) {
    // What is thrown is the migration's own fault, also where the connection is gone.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

async function migrateNext(dataSource: DataSource, runner: QueryRunner): Promise<Turn> {
  if (!(await takeLock(runner))) return 'another at it';
  const executor = new MigrationExecutor(dataSource, runner);
  const [next] = await executor.getPendingMigrations();
  if (next === undefined) return 'all done';
  if (next.instance?.transaction === false) await migrateOutside(dataSource, next);
  else await executor.executeMigration(next);
  return { done: next.name };
}

/** The lock under which the schema is changed, until the transaction ends; false where another has it. */
export async function takeLock(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(tryAdvisoryLock('migrations'))) as {
    ours: boolean;
  }[];
  return rows[0]?.ours === true;
}

/** One that cannot be in a transaction (as `CREATE INDEX CONCURRENTLY`), while the lock is kept beside it. */
async function migrateOutside(dataSource: DataSource, next: Migration): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await new MigrationExecutor(dataSource, runner).executeMigration(next);
  } finally {
    // The pool lends the connection again. One that cannot be asked any more it drops by itself.
    await runner
      .query('ROLLBACK; RESET statement_timeout; RESET lock_timeout')
      .catch(() => undefined);
    await runner.release();
  }
}
