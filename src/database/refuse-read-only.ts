import type { DataSource } from 'typeorm';
import { StartupError } from '../config/startup-error';

export const TAKES_NO_WRITES =
  'The database takes no writes: DATABASE_URL must lead to the primary server, not to a standby, and default_transaction_read_only must be off.';

const READ_ONLY = `SELECT current_setting('transaction_read_only') = 'on' AS "readOnly"`;

/**
 * A start that has nothing to migrate would succeed, and all sign-ins would fail.
 * @throws StartupError where the database is a standby, or was made read-only
 */
export async function refuseReadOnly(dataSource: DataSource): Promise<void> {
  const [session] = await dataSource.query<{ readOnly: boolean }[]>(READ_ONLY);
  if (session?.readOnly === true) throw new StartupError(TAKES_NO_WRITES);
}
