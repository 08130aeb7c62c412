import type { Collection } from '../registry/collection';
import type { CollectionRegistry } from '../registry/registry';
import type { Statement } from './statement';

/** A grant in SQL: a condition on the row; true where it holds on every row that is there, false where on none. */
export type SqlGrant = boolean | string;

/**
 * What a table looks like to a reader. Rules read the real tables; queries read the caller's virtual ones.
 * The compiler asks a view at every hop, so that the two differ nowhere else.
 */
export interface TableView {
  readonly registry: CollectionRegistry;
  /** The condition under which a row is there. */
  rows(collection: Collection, alias: string, statement: Statement): string;
  /** The condition under which a cell of a row that is there is not NULL. */
  grant(collection: Collection, field: string, alias: string, statement: Statement): SqlGrant;
}
