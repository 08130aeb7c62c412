import type { TestApp } from './start-test-app';

/**
 * Changes users or their rights by SQL; when it returns, the change is in force. After a plain statement outside of a
 * transaction nothing waits until the caches are notified, so the next request may not see the change yet.
 */
export async function changeBySql(
  { database }: Pick<TestApp, 'database'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await database.transaction((tx) => tx.query(text, values));
}

/** Waits until this instance has been notified of everything that any instance has committed so far. */
export async function waitForNotifications(instance: Pick<TestApp, 'database'>): Promise<void> {
  await changeBySql(instance, `SELECT set_config('doorward.told', 'yes', true)`);
}
