import type { BoundFilter, Case, Decision, ToManyShape } from '../../engine';
import type { Key, Values } from '../hooks';
import type { RowsBefore } from './rows-before';
import type { SoleRow } from './sole-row';
import type { StoredCollection } from '../registry/stored-collection';

/**
 * What a request is to write to one collection, and with each row what it says of related ones: a value that is made
 * and checked before the first write, and then walked once. Every row to update or delete is looked at, and locked,
 * while it is made, but for one that has a `condition`; what only the writes bring about, as the key of a new parent, is
 * filled in on the way.
 */
export type Plan = RowsPlan | DeletePlan;

interface PlanOf<A extends string> {
  readonly action: A;
  readonly collection: StoredCollection;
  readonly decision: Decision;
  /** The rows as they were; none of new ones. */
  readonly before: RowsBefore;
}

export interface RowsPlan extends PlanOf<'create' | 'update'> {
  readonly rows: readonly PlannedRow[];
  /** A foreign key of a payload leads to nothing that the caller sees: each is looked for again at its row. */
  readonly unseen: boolean;
  /** The greatest key that may be sent for a new row. */
  readonly furthest: number;
  /**
   * Of an update of one row that is not locked yet: the statement which updates it does that, and finds out whether the
   * row meets this.
   */
  readonly condition?: BoundFilter;
  /** Its one row is all that the request writes, beside what hooks write before it. */
  readonly sole?: SoleRow;
}

export interface DeletePlan extends PlanOf<'delete'> {
  readonly keys: readonly Key[];
}

export interface PlannedRow {
  /** Undefined for a new row. */
  readonly key: Key | undefined;
  /** Those that the stored row meets; of a new row, all. */
  readonly cases: readonly Case[];
  readonly values: Values;
  /** What hooks set: it counts whatever else is said. */
  readonly set: Values;
  /** What hooks fill in where nothing else is said. */
  readonly defaults: Values;
  /** What the service gives it; empty for an update that says nothing. */
  readonly filled: Values;
  /** Every field of the payload, lists and foreign keys that are filled in included; presets are no part of it, nor what hooks set. */
  readonly fields: readonly string[];
  /** What the row refers to, by foreign key: written before it. */
  readonly parents: readonly PlannedParent[];
  /** What refers to the row: written after it, in this order. */
  readonly lists: readonly PlannedList[];
}

export interface PlannedParent {
  readonly field: string;
  /** A row that is to be written first, or the key of one that stays as it is. */
  readonly row: RowsPlan | { readonly key: Key };
}

export interface PlannedList {
  readonly plan: Plan | LinksPlan;
  /** The foreign key that takes the key of the list's own row. */
  readonly foreignKey?: string;
}

/** The links of a many-to-many whose junction no rule can name. */
export interface LinksPlan {
  readonly action: 'link';
  /** Of the collection whose row has the list. */
  readonly field: ToManyShape;
  readonly joining: readonly Key[];
  readonly leaving: readonly Key[];
  /** New rows that join. */
  readonly made?: RowsPlan;
}

/** Rows that get the same values. */
export interface Update {
  readonly keys: readonly Key[];
  readonly payload: unknown;
  /** The hook `prepareUpdate` has seen the payload. */
  readonly prepared?: boolean;
}

/** Items that are checked, or written, before others have their turn. */
export const AT_ONCE = 100;

export const isNested = ({ parents, lists }: PlannedRow): boolean =>
  parents.length > 0 || lists.length > 0;
