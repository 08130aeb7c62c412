import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { mentionSlow } from '../common/mention-slow';
import { tryAdvisoryLock } from './advisory-locks';
import { forgetVanishedIn } from './marks/forget-vanished';
import { migrationFault } from './migration-fault';
import { refuseMissingSchema } from './refuse-missing-schema';
import type { Storage } from './storage';
import { LIFT_TIMEOUTS } from './lift-timeouts';
import { warnOfUnknownMigrations } from './unknown-migrations';

const POLL_INTERVAL_MS = 100;
/** After this many polls (about 3 s) the log says what is waited for. */
const POLLS_IN_SILENCE = 30;

const logger = new Logger('Database');

/** The migration that was run, or why none was. */
type Turn = { readonly migrated: string } | 'up to date' | 'locked by another instance';

/**
 * Brings the schema up to date. Of instances that start together one does the work, and the others wait.
 * @returns the names of the migrations that this instance ran
 */
export async function migrate(dataSource: DataSource, storage: Storage): Promise<string[]> {
  // The embedded server has one process and one connection: a lock is neither needed nor possible.
  const migrated =
    storage.kind === 'postgres'
      ? await migrateInTurn(dataSource)
      : (await dataSource.runMigrations()).map(({ name }) => name);
  await warnOfUnknownMigrations(dataSource);
  return migrated;
}

async function migrateInTurn(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const migrated: string[] = [];
  try {
    await refuseMissingSchema(runner);
    for (let polls = 0; ;) {
      const turn = await takeTurn(dataSource, runner);
      if (turn === 'up to date') break;
      if (turn === 'locked by another instance') {
        polls += 1;
        if (polls === POLLS_IN_SILENCE) sayWhatIsAwaited();
        // Waiting inside the database would hold a connection that the working instance may need.
        await sleep(POLL_INTERVAL_MS);
      } else migrated.push(turn.migrated);
    }
  } finally {
    await runner.release();
  }
  await forgetVanishedIn(dataSource);
  return migrated;
}

const sayWhatIsAwaited = (): void =>
  logger.log('Another process is migrating this database: waiting until it has finished');

const sayWhatRuns = (name: string): void =>
  logger.log(
    `The migration ${name} is still running. Where it waits for a lock, pg_blocking_pids() names the sessions that hold it`,
  );

/**
 * Runs one migration under a lock that ends with its transaction: behind a pooler a session lock would stay on a
 * connection that others use by then.
 */
async function takeTurn(dataSource: DataSource, runner: QueryRunner): Promise<Turn> {
  await runner.startTransaction();
  try {
    for (const statement of LIFT_TIMEOUTS) await runner.query(statement);
    const turn = await migrateNext(dataSource, runner);
    await runner.commitTransaction();
    return turn;
  } catch (error) {
    // The migration's own error is thrown, even where the connection is gone.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

async function migrateNext(dataSource: DataSource, runner: QueryRunner): Promise<Turn> {
  if (!(await takeLock(runner))) return 'locked by another instance';
  const executor = new MigrationExecutor(dataSource, runner);
  const [next] = await executor.getPendingMigrations();
  if (next === undefined) return 'up to date';
  try {
    const running =
      next.instance?.transaction === false
        ? migrateOutside(dataSource, next)
        : executor.executeMigration(next);
    await mentionSlow<unknown>(running, () => sayWhatRuns(next.name));
  } catch (error) {
    throw migrationFault(next.name, error);
  }
  return { migrated: next.name };
}

/** The lock for schema changes, until the end of the transaction; false where another instance has it. */
export async function takeLock(runner: QueryRunner): Promise<boolean> {
  const rows = (await runner.query(tryAdvisoryLock('migrations'))) as {
    ours: boolean;
  }[];
  return rows[0]?.ours === true;
}

/**
 * For a migration that cannot run in a transaction (such as `CREATE INDEX CONCURRENTLY`): the lock is held on another
 * connection.
 */
async function migrateOutside(dataSource: DataSource, next: Migration): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await new MigrationExecutor(dataSource, runner).executeMigration(next);
  } finally {
    // The pool lends the connection again, so it is reset. The pool drops a broken one by itself.
    await runner
      .query('ROLLBACK; RESET statement_timeout; RESET lock_timeout')
      .catch(() => undefined);
    await runner.release();
  }
}
