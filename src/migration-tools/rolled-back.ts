import type { DataSource, QueryRunner } from 'typeorm';

/** Runs work in a transaction that is rolled back: PostgreSQL is asked about something by making it. */
export async function rolledBack<T>(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    return await work(runner);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
