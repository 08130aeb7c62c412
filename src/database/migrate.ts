import type { DataSource } from 'typeorm';
import type { Storage } from './storage';

/** Any number, as long as nobody else on the server uses it. */
const LOCK = 7_215_408_311;

/** Brings the schema up to date. Of instances that start together one does the work, the others wait for it. */
export async function migrate(dataSource: DataSource, storage: Storage): Promise<void> {
  // The embedded server has one process and one connection: nobody to wait for, none to spare for a lock.
  if (storage.kind !== 'postgres') {
    await dataSource.runMigrations();
    return;
  }
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
    try {
      await dataSource.runMigrations();
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  } finally {
    await runner.release();
  }
}
