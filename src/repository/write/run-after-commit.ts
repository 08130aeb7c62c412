import type { Change, CollectionHooks } from '../hooks';

/** Where a repository tells what went wrong and refused nothing. */
export interface RepositoryLogger {
  error(message: string, error: unknown): void;
}

/** The change is there whatever happens here: an error is logged and refuses nothing. */
export async function runAfterCommit(
  changes: readonly Change[],
  hooksOf: (collection: string) => CollectionHooks,
  logger: RepositoryLogger,
): Promise<void> {
  for (const change of changes) {
    try {
      await hooksOf(change.collection).afterCommit?.(change);
    } catch (error) {
      logger.error(`afterCommit of ${change.collection} failed`, error);
    }
  }
}
