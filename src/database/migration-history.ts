import type { DataSource, MigrationInterface } from 'typeorm';
import type { MigrationClass } from './schema-part';

const IS_THERE = 'SELECT to_regclass($1) IS NOT NULL AS there';

/** The name that a migration will have, before it is created. */
export const migrationName = (migration: MigrationClass): string => nameOf(new migration());

/** The name under which a migration is recorded: its `name`, or that of its class. */
export const nameOf = (migration: MigrationInterface): string =>
  migration.name ?? migration.constructor.name;

export const historyTable = (dataSource: DataSource): string =>
  dataSource.driver.escape(dataSource.options.migrationsTableName ?? 'migrations');

/** The names of the migrations that have run, oldest first. @param connection by default any connection */
export async function readHistory(
  dataSource: DataSource,
  connection: Pick<DataSource, 'query'> = dataSource,
): Promise<readonly string[]> {
  const table = historyTable(dataSource);
  const [row] = await connection.query<{ there: boolean }[]>(IS_THERE, [table]);
  if (!row?.there) return [];
  const run = await connection.query<{ name: string }[]>(`SELECT name FROM ${table} ORDER BY id`);
  return run.map(({ name }) => name);
}
