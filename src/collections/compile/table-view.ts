import type { CollectionRegistry } from '../registry/registry';
import type { Scope } from './scope';

/** A grant in SQL: a condition on the row; true where it holds on every row that is there, false where on none. */
export type SqlGrant = boolean | string;

/**
 * What a table looks like to a reader. Rules read the real tables; queries read the caller's virtual ones.
 * The compiler asks a view at every hop, so that the two differ nowhere else.
 */
export interface TableView {
  readonly registry: CollectionRegistry;
  /** The condition under which the scope's row is there. */
  rows(scope: Scope): string;
  /** The condition under which a cell of the scope's row, which is there, is not NULL. */
  grant(scope: Scope, field: string): SqlGrant;
}
