import type { QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';

const SEARCHED = `SELECT current_schema() IS NULL AS none, current_setting('search_path') AS path`;

/**
 * Tables are created in the first schema of the search path that exists and that the role may use.
 * @throws StartupError where there is none
 */
export async function refuseMissingSchema(runner: QueryRunner): Promise<void> {
  const [searched] = (await runner.query(SEARCHED)) as { none: boolean; path: string }[];
  if (searched?.none !== true) return;
  throw new StartupError(
    `No schema in the search_path of the database role exists and may be used by it (${searched.path}). Create one of them, or change the path: ALTER ROLE … SET search_path = public.`,
  );
}
