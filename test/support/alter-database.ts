import { Client, escapeIdentifier } from 'pg';
import type { TestApp } from './start-test-app';

/**
 * Sets defaults of the application's database, as an operator does: its connections from then on have them.
 * @param settings such as `work_mem = '64kB'`
 */
export async function alterDatabase(
  { storage, database }: Pick<TestApp, 'storage' | 'database'>,
  settings: readonly string[],
): Promise<void> {
  const client = new Client({ connectionString: 'url' in storage ? storage.url : '' });
  await client.connect();
  await client.query('SET default_transaction_read_only = off');
  const name = escapeIdentifier(client.database ?? '');
  for (const setting of settings) await client.query(`ALTER DATABASE ${name} SET ${setting}`);
  await client.end();
  database.distrustConnections();
}
