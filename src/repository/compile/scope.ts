import type { BoundFilter } from '../../engine';
import type { Deleted } from '../query/query';
import { type StoredCollection, columnOf } from '../registry/stored-collection';
import type { CollectionRegistry } from '../registry/registry';
import { RowConditions } from './row-conditions';
import { StatementPosition } from './statement-position';
import { Statement } from './statement';

/** A grant in SQL: a condition on the row; true where it holds on every row that is there, false where on none. */
export type SqlGrant = boolean | string;

/**
 * What a table looks like to a reader. Rules read the real tables; queries read the caller's virtual ones.
 * The compiler asks a view at every hop, so that the two differ nowhere else.
 */
export interface TableView {
  readonly registry: CollectionRegistry;
  /** The condition under which the scope's row is there. */
  rows(scope: TableScope): string;
  /** What the scope's row must meet to be there, and where that is evaluated. */
  reach(scope: TableScope): { readonly rows: BoundFilter; readonly scope: TableScope };
  /** The condition under which a cell of the scope's row, which is there, is not NULL. */
  grant(scope: TableScope, field: string): SqlGrant;
  /** What the cell holds for the reader, where it is granted. */
  cell(scope: TableScope, field: string): string;
}

/** Where a filter is compiled: of which collection, under which name, as whom, where in which statement. */
export interface TableScope {
  readonly collection: StoredCollection;
  readonly alias: string;
  readonly view: TableView;
  readonly statement: Statement;
  readonly position: StatementPosition;
  /** Which deleted rows are looked at: none, beside the live ones, or they alone. */
  readonly deleted: Deleted | null;
  /** What the row meets: long conditions of rules that several cells and leaves ask about. */
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

/** Another collection under a fresh name, in a SELECT within the scope's. */
export function innerScope(
  scope: TableScope,
  collection: StoredCollection,
  position: StatementPosition,
): TableScope {
  const alias = scope.statement.alias();
  const conditions = new RowConditions(alias);
  return { ...scope, collection, alias, position, deleted: null, conditions };
}

/** The same row where no EXISTS is pulled up. */
export const apart = (scope: TableScope): TableScope => {
  const { apart: position } = scope.position;
  return position === scope.position ? scope : { ...scope, position };
};

/** What to select from: ask once everything that speaks of the row is compiled. */
export const fromOf = (scope: TableScope): string => rowsOf(scope) + scope.conditions.source();

/** The scope's rows under its name, whoever sees them: the one place that decides whether deleted ones are among them. */
export const rowsOf = ({ collection, alias, deleted }: TableScope): string =>
  `${deleted === null ? collection.rows : collection.table} ${alias}`;

export const cellIn = ({ collection, alias }: TableScope, field: string): string =>
  collection.computed?.get(field)?.sql?.(alias) ?? `${alias}.${columnOf(collection, field).sql}`;

export const keyIn = (scope: TableScope): string => cellIn(scope, scope.collection.key);

/** Whether the scope's row has one of the keys. */
export const isOneOf = (scope: TableScope, keys: readonly unknown[]): string =>
  `${keyIn(scope)} ${amongKeys(scope.statement, scope.collection, keys)}`;

/**
 * What follows the key's column. One key is compared as it is: of a list PostgreSQL does not know how long it will be,
 * and so plans even a prepared statement each time, which takes longer than to run it.
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

/** The condition under which the scope's row is there for the reader. */
export const rowsIn = (scope: TableScope): string => scope.view.rows(scope);

/** The condition under which a cell of the scope's row is granted, the row being there. */
export const grantIn = (scope: TableScope, field: string): SqlGrant =>
  scope.view.grant(scope, field);
