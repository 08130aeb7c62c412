import type { TestApp } from './start-test-app';

/**
 * Changes people or their rights by SQL of the test's own; when it ends, the change is in force. After a statement
 * outside of a transaction nobody waits for the caches to hear of it, so that the next request may not see it yet.
 */
export async function changeBySql(
  { database }: Pick<TestApp, 'database'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await database.transaction((tx) => tx.query(text, values));
}

/** Once this instance has heard of all that was committed until now, by another one too. */
export async function caughtUp(instance: Pick<TestApp, 'database'>): Promise<void> {
  await changeBySql(instance, `SELECT set_config('doorward.told', 'yes', true)`);
}
