import type { BoundFilter } from '../../engine';
import { type Collection, columnOf } from '../registry/collection';
import type { CollectionRegistry } from '../registry/registry';
import { Met } from './met';
import { Place } from './place';
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
  rows(scope: Scope): string;
  /** What the scope's row must meet to be there, and where that is evaluated. */
  reach(scope: Scope): { readonly rows: BoundFilter; readonly scope: Scope };
  /** The condition under which a cell of the scope's row, which is there, is not NULL. */
  grant(scope: Scope, field: string): SqlGrant;
}

/** Where a filter is compiled: of which collection, under which name, as whom, where in which statement. */
export interface Scope {
  readonly collection: Collection;
  readonly alias: string;
  readonly view: TableView;
  readonly statement: Statement;
  readonly place: Place;
  /** What the row meets: long conditions of rules that several cells and leaves ask about. */
  readonly met: Met;
}

/** A collection under the name `t0`, in a statement of its own. */
export function openScope(collection: Collection, view: TableView): Scope {
  const statement = new Statement();
  const alias = statement.alias();
  return { collection, alias, view, statement, place: Place.root(), met: new Met(alias) };
}

/** Another collection under a fresh name, in a SELECT within the scope's. */
export function innerScope(scope: Scope, collection: Collection, place: Place): Scope {
  const alias = scope.statement.alias();
  return { ...scope, collection, alias, place, met: new Met(alias) };
}

/** The same row where no EXISTS is pulled up. */
export const apart = (scope: Scope): Scope => ({ ...scope, place: scope.place.apart });

/** What to select from: ask once everything that speaks of the row is compiled. */
export const fromOf = ({ collection, alias, met }: Scope): string =>
  `${collection.table} ${alias}${met.source()}`;

export const cellIn = (scope: Scope, field: string): string =>
  `${scope.alias}.${columnOf(scope.collection, field).sql}`;

export const keyIn = (scope: Scope): string => cellIn(scope, scope.collection.key);

/** The condition under which the scope's row is there for the reader. */
export const rowsIn = (scope: Scope): string => scope.view.rows(scope);

/** The condition under which a cell of the scope's row is granted, the row being there. */
export const grantIn = (scope: Scope, field: string): SqlGrant => scope.view.grant(scope, field);
