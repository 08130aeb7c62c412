import type { Database } from '../database/database';
import type { CollectionHooks, CommitHooks } from './hooks';
import type { QueryLimits } from './query/query-setting';
import type { CollectionRegistry } from './registry/registry';

/** Where a repository logs problems that refuse nothing. */
export interface RepositoryLogger {
  error(message: string, error: unknown): void;
}

/** What all repositories share. */
export interface RepositorySetting {
  readonly registry: CollectionRegistry;
  readonly database: Database;
  readonly limits: QueryLimits;
  readonly hooksOf: (collection: string) => CollectionHooks;
  readonly commitHooks: CommitHooks;
  readonly logger: RepositoryLogger;
}
