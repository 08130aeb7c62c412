import { Logger } from '@nestjs/common';
import type { Change, CollectionHooks } from '../hooks';

const logger = new Logger('Collections');

/** The change is there whatever happens here: an error is logged and refuses nothing. */
export async function runAfterCommit(
  changes: readonly Change[],
  hooksOf: (collection: string) => CollectionHooks,
): Promise<void> {
  for (const change of changes) {
    try {
      await hooksOf(change.collection).afterCommit?.(change);
    } catch (error) {
      logger.error(`afterCommit of ${change.collection} failed`, error);
    }
  }
}
