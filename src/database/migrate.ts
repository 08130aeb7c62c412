import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { mentionSlow } from '../common/mention-slow';
import { forgetVanishedIn } from './marks/forget-vanished';
import { migrationFault } from './migration-fault';
import { beginLocked, commitWork } from './migration-lock';
import { refuseForeignHistory } from './refuse-foreign-history';
import { refuseMissingSchema } from './refuse-missing-schema';
import { refuseOtherEncoding } from './refuse-other-encoding';
import type { Storage } from './storage';
import { warnOfUnknownMigrations } from './unknown-migrations';

const POLL_INTERVAL_MS = 100;

const logger = new Logger('Database');

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
    await refuseOtherEncoding(runner);
    await refuseMissingSchema(runner);
    await refuseForeignHistory(runner);
    for (;;) {
      const name = await migrateNext(dataSource, runner);
      if (name === undefined) break;
      migrated.push(name);
    }
  } finally {
    await runner.release();
  }
  await forgetVanishedIn(dataSource);
  return migrated;
}

/** @returns the name of the migration that was run; undefined where the schema is up to date */
async function migrateNext(
  dataSource: DataSource,
  runner: QueryRunner,
): Promise<string | undefined> {
  await mentionSlow(waitForLock(runner), mentionOtherProcess);
  return commitWork(runner, () => runPending(dataSource, runner));
}

async function waitForLock(runner: QueryRunner): Promise<void> {
  // Waiting inside the database would hold a connection that the working instance may need.
  while (!(await beginLocked(runner))) await sleep(POLL_INTERVAL_MS);
}

async function runPending(
  dataSource: DataSource,
  runner: QueryRunner,
): Promise<string | undefined> {
  const executor = new MigrationExecutor(dataSource, runner);
  const [next] = await executor.getPendingMigrations();
  if (next === undefined) return undefined;
  try {
    const running =
      next.instance?.transaction === false
        ? migrateOutside(dataSource, next)
        : executor.executeMigration(next);
    await mentionSlow<unknown>(running, () => mentionMigration(next.name, 'is still running'));
  } catch (error) {
    throw migrationFault(next.name, error);
  }
  return next.name;
}

const mentionOtherProcess = (): void =>
  logger.log('Another process is migrating this database: waiting until it has finished');

/** @param state what the migration is doing for so long */
export const mentionMigration = (name: string, state: string): void =>
  logger.log(
    `The migration ${name} ${state}. Where it waits for a lock, pg_blocking_pids() names the sessions that hold it`,
  );

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
