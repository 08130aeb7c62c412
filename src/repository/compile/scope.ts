import type { BoundFilter } from '../../engine';
import type { Deleted } from '../query/query';
import { type StoredCollection, columnOf, sqlTypeOf } from '../registry/stored-collection';
import type { CollectionRegistry } from '../registry/registry';
import { RowConditions } from './row-conditions';
import { StatementPosition } from './statement-position';
import { Statement } from './statement';

/** A grant in SQL: a condition on the row; true where it holds on every visible row, false where it holds on none. */
export type SqlGrant = boolean | string;

/**
 * How a reader sees a table. Rules read the real tables; queries read the caller's virtual ones. The compiler asks a
 * view at every hop, so that real and virtual tables differ only in the view.
 */
export interface TableView {
  readonly registry: CollectionRegistry;
  /** The condition under which the reader sees the scope's row. */
  rows(scope: TableScope): string;
  /** The filter that makes the scope's row visible, and the scope in which it is evaluated. */
  reach(scope: TableScope): { readonly rows: BoundFilter; readonly scope: TableScope };
  /** The condition under which a cell of the scope's visible row is not NULL. */
  grant(scope: TableScope, field: string): SqlGrant;
  /** The cell's value for the reader, where it is granted. */
  cell(scope: TableScope, field: string): string;
}

/** Where a filter is compiled: the collection, its alias, the view, and the position in the statement. */
export interface TableScope {
  readonly collection: StoredCollection;
  readonly alias: string;
  readonly view: TableView;
  readonly statement: Statement;
  readonly position: StatementPosition;
  /** Which deleted rows are read: none (null), those and the live ones, or only those. */
  readonly deleted: Deleted | null;
  /** Long conditions of rules on the row, which several cells and leaves share. */
  readonly conditions: RowConditions;
}

/** A collection under the name `t0`, in a statement of its own. */
export function openScope(
  collection: StoredCollection,
  view: TableView,
  deleted: Deleted | null = null,
): TableScope {
  const statement = new Statement();
  const alias = statement.alias();
  return {
    collection,
    alias,
    view,
    statement,
    position: StatementPosition.root(),
    deleted,
    conditions: new RowConditions(alias),
  };
}

/** Another collection under a new alias, in a SELECT within the scope's. */
export function innerScope(
  scope: TableScope,
  collection: StoredCollection,
  position: StatementPosition,
): TableScope {
  const alias = scope.statement.alias();
  const conditions = new RowConditions(alias);
  return { ...scope, collection, alias, position, deleted: null, conditions };
}

/** The same row in a position where PostgreSQL pulls up no EXISTS. */
export const withoutPullUp = (scope: TableScope): TableScope => {
  const { withoutPullUp: position } = scope.position;
  return position === scope.position ? scope : { ...scope, position };
};

/** The FROM clause: request it only after everything about the row is compiled. */
export const fromOf = (scope: TableScope): string => rowsOf(scope) + scope.conditions.source();

/** The scope's rows under its alias, for any reader: the one place that decides whether deleted rows are included. */
export const rowsOf = ({ collection, alias, deleted }: TableScope): string =>
  `${deleted === null ? collection.rows : collection.table} ${alias}`;

export const cellIn = ({ collection, alias }: TableScope, field: string): string =>
  collection.computed?.get(field)?.sql?.(alias) ?? `${alias}.${columnOf(collection, field).sql}`;

/** A cell as it is compared and counted: JSON's null, which other programs may store, is NULL. */
export const comparedIn = (scope: TableScope, field: string): string => {
  const cell = cellIn(scope, field);
  return sqlTypeOf(scope.collection, field).type === 'json' ? `NULLIF(${cell}, 'null')` : cell;
};

export const keyIn = (scope: TableScope): string => cellIn(scope, scope.collection.key);

/** Whether the scope's row has one of the keys. */
export const isOneOf = (scope: TableScope, keys: readonly unknown[]): string =>
  `${keyIn(scope)} ${amongKeys(scope.statement, scope.collection, keys)}`;

/**
 * The part after the key's column. One key is compared directly: for a list, PostgreSQL does not know the length in
 * advance and plans even a prepared statement each time, which takes longer than running it.
 */
export function amongKeys(
  statement: Statement,
  { columns, key }: StoredCollection,
  keys: readonly unknown[],
): string {
  const cast = columns.get(key)?.cast ?? 'text';
  return keys.length === 1
    ? `= ${statement.bind(keys[0], cast)}`
    : `= ANY(${statement.bind(keys, `${cast}[]`)})`;
}

/** The condition under which the reader sees the scope's row. */
export const rowsIn = (scope: TableScope): string => scope.view.rows(scope);

/** The condition under which a cell of the scope's visible row is granted. */
export const grantIn = (scope: TableScope, field: string): SqlGrant =>
  scope.view.grant(scope, field);
