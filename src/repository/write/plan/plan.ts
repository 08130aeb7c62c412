import type { BoundFilter, Case, Decision, ToManyShape } from '../../../engine';
import type { Key, Values } from '../../write-context';
import type { RowsBefore } from '../rows-before';
import type { SoleRow } from '../store/sole-row';
import type { StoredCollection } from '../../registry/stored-collection';

/**
 * What a request will write to one collection, with the related rows of each row: a value that is made and checked
 * before the first write, and then executed once. While it is made, every row to update or delete is read and locked,
 * except one with a `condition`; values that only the writes produce, such as the key of a new parent, are filled in
 * during execution.
 */
export type Plan = RowsPlan | DeletePlan;

interface PlanOf<A extends string> {
  readonly action: A;
  readonly collection: StoredCollection;
  readonly decision: Decision;
  /** The rows as they were; empty for new ones. */
  readonly before: RowsBefore;
}

/** Creates or updates rows. */
export interface RowsPlan extends PlanOf<'create' | 'update'> {
  readonly rows: readonly PlannedRow[];
  /** A foreign key of a payload refers to a row that the caller does not see: each is looked up again at its row. */
  readonly unseen: boolean;
  /** The greatest key that may be sent for a new row; `Infinity` without a bound. */
  readonly maxNewKey: number;
  /**
   * For an update of one row that is not locked yet: the updating statement also locks the row and checks this
   * condition.
   */
  readonly condition?: BoundFilter;
  /** Its rows are links by which stored rows join a list. */
  readonly joins?: boolean;
  /** Set where the plan's only row is the last write of the request. */
  readonly sole?: SoleRow;
}

/** Deletes rows. */
export interface DeletePlan extends PlanOf<'delete'> {
  readonly keys: readonly Key[];
}

/** One row to create or update. */
export interface PlannedRow {
  /** Undefined for a new row. */
  readonly key: Key | undefined;
  /** Of several items that the request sent: its position, from 0. */
  readonly item?: number;
  /** The cases that the stored row matches; for a new row, all. */
  readonly cases: readonly Case[];
  readonly values: Values;
  /** Set by hooks; these override all other values. */
  readonly set: Values;
  /** Filled in by hooks where no other value is given. */
  readonly defaults: Values;
  /** Set by the service; empty for an update that changes nothing. */
  readonly filled: Values;
  /**
   * Foreign keys that a list fills in with the key of its own row, where the caller does not see that row: for rules it
   * is missing, as if it had been sent.
   */
  readonly hidden: readonly string[];
  /** Every field of the payload, including lists and foreign keys that are filled in, without presets and values of hooks. */
  readonly fields: readonly string[];
  /** Rows it refers to by foreign key: written before it. */
  readonly parents: readonly PlannedParent[];
  /** Rows that refer to it: written after it, in this order. */
  readonly lists: readonly PlannedList[];
}

/** A to-one relation of a planned row. */
export interface PlannedParent {
  readonly field: string;
  /** A row that is written first, or the key of an existing one. */
  readonly row: RowsPlan | { readonly key: Key };
}

/** What changes in a list of a planned row. */
export interface PlannedList {
  readonly plan: Plan | LinksPlan;
  /** The foreign key that gets the key of the list's own row. */
  readonly foreignKey?: string;
}

/** The links of a many-to-many whose junction no rule can name. */
export interface LinksPlan {
  readonly action: 'link';
  /** Of the collection whose row has the list. */
  readonly field: ToManyShape;
  readonly joining: readonly Key[];
  readonly leaving: readonly Key[];
  /** New rows to link. */
  readonly made?: RowsPlan;
}

/** No values: one shared object, since most rows have several empty maps of them. */
export const NO_VALUES: Values = new Map();
export const NO_FIELDS: readonly string[] = [];

/** Rows that get the same values. */
export interface Update {
  readonly keys: readonly Key[];
  readonly payload: unknown;
  /** The hook `prepareUpdate` has run for the payload. */
  readonly prepared?: boolean;
}

/** The list that rows belong to. It decides which row they refer to by its foreign key. */
export interface Membership {
  /** Their foreign key to the row that has the list. */
  readonly foreignKey: string;
  /** That row's key; undefined for a new row whose key is not known yet. */
  readonly parent: Key | undefined;
  /** Whether the row that has the list is created by this request. */
  readonly isNew: boolean;
}

/** Items that are checked, or written, before other requests get a turn. */
export const ROWS_PER_TURN = 100;

/** Whether other rows are written along with the row. */
export const isNested = ({ parents, lists }: PlannedRow): boolean =>
  parents.length > 0 || lists.length > 0;
