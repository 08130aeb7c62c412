import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { mentionSlow } from '../common/mention-slow';
import { forgetVanishedIn } from './marks/forget-vanished';
import { mentionMigration } from './migrate';
import { migrationFault } from './migration-fault';
import { beginLocked, commitWork } from './migration-lock';
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
  const readLast = async (connection: Pick<DataSource, 'query'>): Promise<string | undefined> =>
    (await readHistory(dataSource, connection)).findLast(isMeant);
  const name = await readLast(dataSource);
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
    if ((await readLast(runner)) !== name) throw new StartupError(ANOTHER);
    await takeBack(dataSource, runner, migration);
  };
  try {
    await (migration.transaction === false ? work() : inLockedTransaction(runner, work));
  } finally {
    await runner.release();
  }
  await forgetVanishedIn(dataSource);
  return name;
}

async function inLockedTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  if (!(await beginLocked(runner))) throw new StartupError(ANOTHER);
  await commitWork(runner, work);
}

async function takeBack(
  dataSource: DataSource,
  runner: QueryRunner,
  migration: MigrationInterface,
): Promise<void> {
  const name = nameOf(migration);
  try {
    await mentionSlow(migration.down(runner), () =>
      mentionMigration(name, 'is still being reverted'),
    );
  } catch (error) {
    throw migrationFault(name, error);
  }
  const forget = `DELETE FROM ${historyTable(dataSource)} WHERE name = $1`;
  await runner.query(forget, [name]);
}
