import type { QueryRunner } from 'typeorm';
import { StartupError } from '../config/startup-error';

const ENCODING = `SELECT current_setting('server_encoding') AS encoding`;

/**
 * Addresses are normalised and compared without regard to case by functions that PostgreSQL has for UTF-8 alone.
 * @throws StartupError where the database has another encoding
 */
export async function refuseOtherEncoding(runner: QueryRunner): Promise<void> {
  const [found] = (await runner.query(ENCODING)) as { encoding: string }[];
  if (found?.encoding === 'UTF8') return;
  throw new StartupError(
    `The database has the encoding ${found?.encoding}, and the service needs UTF8. Use another database: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
  );
}
