import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { forgetVanishedIn } from './marks/forget-vanished';
import { migrationFault } from './migration-fault';
import { takeLock } from './migrate';
import { LIFT_TIMEOUTS } from './lift-timeouts';
import { historyTable, nameOf, readHistory } from './migration-history';

const ANOTHER = 'Another process is migrating this database. Try again when it has finished.';

/**
 * Reverts the last of the given migrations that has run.
 * @returns its name; undefined where none of them has run
 * @throws StartupError where its class is missing, or others are migrating
 */
export async function revertLast(
  dataSource: DataSource,
  isMeant: (name: string) => boolean,
): Promise<string | undefined> {
  const lastFor = async (asked: Pick<DataSource, 'query'>): Promise<string | undefined> =>
    (await readHistory(dataSource, asked)).findLast(isMeant);
  const name = await lastFor(dataSource);
  if (name === undefined) return undefined;
  const migration = dataSource.migrations.find((each) => nameOf(each) === name);
  if (migration === undefined) {
    throw new StartupError(
      `${name} has run on this database, but no module brings it: revert it with the modules that did.`,
    );
  }
  const runner = dataSource.createQueryRunner();
  const work = async (): Promise<void> => {
    // Others may have migrated before the lock was ours.
    if ((await lastFor(runner)) !== name) throw new StartupError(ANOTHER);
    await takeBack(dataSource, runner, migration);
  };
  try {
    await (migration.transaction === false ? work() : inTransaction(runner, work));
  } finally {
    await runner.release();
  }
  await forgetVanishedIn(dataSource);
  return name;
}

async function inTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.startTransaction();
  try {
    for (const statement of LIFT_TIMEOUTS) await runner.query(statement);
    if (!(await takeLock(runner))) {
      throw new StartupError(ANOTHER);
    }
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

async function takeBack(
  dataSource: DataSource,
  runner: QueryRunner,
  migration: MigrationInterface,
): Promise<void> {
  try {
    await migration.down(runner);
  } catch (error) {
    throw migrationFault(nameOf(migration), error);
  }
  const forget = `DELETE FROM ${historyTable(dataSource)} WHERE name = $1`;
  await runner.query(forget, [nameOf(migration)]);
}
