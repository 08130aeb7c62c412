import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';

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

/** The same with an empty table `declared`, which has the columns of this one and is dropped at once. */
export const onEmptyCopy = <T>(
  dataSource: DataSource,
  path: string,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> =>
  rolledBack(dataSource, async (runner) => {
    await runner.query(`CREATE TEMP TABLE declared (LIKE ${path})`);
    return work(runner);
  });

/**
 * Runs a part of such work and rolls it back, so that the rest goes on.
 * @returns undefined where a statement failed
 */
export async function tried<T>(
  runner: QueryRunner,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await runner.query('SAVEPOINT tried');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    return undefined;
  } finally {
    await runner.query('ROLLBACK TO SAVEPOINT tried');
  }
}
