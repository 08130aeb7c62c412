import type { QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';

const UNREADABLE = `
  SELECT pg_get_userbyid(relowner) AS owner FROM pg_class
  WHERE oid = to_regclass($1) AND NOT has_table_privilege(oid, 'SELECT')`;

/**
 * TypeORM would not find the table of the migrations that have run, and would run all of them again.
 * @throws StartupError where the tables are those of another role
 */
export async function refuseForeignHistory(runner: QueryRunner): Promise<void> {
  const { migrationsTableName: table } = runner.connection.options;
  const [found] = (await runner.query(UNREADABLE, [table])) as { owner: string }[];
  if (found === undefined) return;
  throw new StartupError(
    `The table ${table} belongs to the role ${found.owner}, and the role in DATABASE_URL may not read it. Restore a backup as the role in DATABASE_URL (pg_restore --no-owner), or give it every table by ALTER TABLE … OWNER TO ….`,
  );
}
