import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { forgetVanishedIn } from './marks/forget-vanished';
import type { Storage } from './storage';

/** Any number, as long as nobody else on the server uses it. */
const LOCK = 7_215_408_311;
const LOOK_AGAIN = 100;

/** A migration, or the one before it, may take as long as it has to. */
const UNHURRIED = ['SET LOCAL statement_timeout = 0', 'SET LOCAL lock_timeout = 0'];

type Turn = 'more' | 'done' | 'another at it';

/** Brings the schema up to date. Of instances that start together one does the work, the others wait for it. */
export async function migrate(dataSource: DataSource, storage: Storage): Promise<void> {
  // The embedded server has one process and one connection: nobody to wait for, none to spare for a lock.
  if (storage.kind !== 'postgres') {
    await dataSource.runMigrations();
    return;
  }
  const runner = dataSource.createQueryRunner();
  try {
    for (let turn: Turn = 'more'; turn !== 'done'; turn = await takeTurn(dataSource, runner)) {
      // Whoever waited in the database would keep a connection that the one at work may need.
      if (turn === 'another at it') await sleep(LOOK_AGAIN);
    }
  } finally {
    await runner.release();
  }
  await forgetVanishedIn(dataSource);
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
  const rows = (await runner.query('SELECT pg_try_advisory_xact_lock($1) AS ours', [LOCK])) as {
    ours: boolean;
  }[];
  if (rows[0]?.ours !== true) return 'another at it';
  const executor = new MigrationExecutor(dataSource, runner);
  const [next] = await executor.getPendingMigrations();
  if (next === undefined) return 'done';
  if (next.instance?.transaction === false) await migrateOutside(dataSource, next);
  else await executor.executeMigration(next);
  return 'more';
}

/** One that cannot be in a transaction (as `CREATE INDEX CONCURRENTLY`), while the lock is kept beside it. */
async function migrateOutside(dataSource: DataSource, next: Migration): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await new MigrationExecutor(dataSource, runner).executeMigration(next);
    await runner.query('RESET statement_timeout; RESET lock_timeout');
  } finally {
    await runner.release();
  }
}
