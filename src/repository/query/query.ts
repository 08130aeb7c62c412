import type {
  BoundFilter,
  Caller,
  FieldShape,
  Filter,
  FunctionName,
  StoredField,
  FieldExpression,
  ToManyShape,
  ToOneShape,
} from '../../engine';

/**
 * Query parameters before they are checked, from a query string, a SEARCH body or GraphQL arguments:
 * `{ fields: ['number'] }`.
 */
export type RawQuery = Readonly<Record<string, unknown>>;

/** Which rows to read where deleted ones are kept: deleted rows as well, or only those. */
export type Deleted = 'with' | 'only';

/** A value of the answer: of a stored field, or a function of a field. */
export type SelectedField = { readonly as: string } & (
  | { readonly field: StoredField; readonly fn: null }
  | { readonly field: FieldShape; readonly fn: FunctionName }
);

/** A relation of the answer: an object or a list, read by a query of its own. */
export interface SelectedRelation<F = Filter> {
  readonly as: string;
  readonly field: ToOneShape | ToManyShape;
  readonly query: RowQuery<F>;
  /** A list that was named but not opened shows its rows' keys. */
  readonly keysOnly: boolean;
}

/** A sort key: through any number of to-one fields to a column, a function of one, or the size of a list. */
export interface SortTerm {
  readonly hops: readonly ToOneShape[];
  readonly expression: FieldExpression;
  readonly descending: boolean;
}

/**
 * Which rows of a collection, in which order, and what is shown of each. Every name has been looked up and may be
 * named.
 */
export interface RowQuery<F = Filter> {
  readonly collection: string;
  readonly fields: readonly SelectedField[];
  readonly relations: readonly SelectedRelation<F>[];
  readonly filter: F;
  readonly search: string | null;
  readonly sort: readonly SortTerm[];
  /** Whether deleted rows are requested. */
  readonly deleted?: Deleted;
  /** The reader of the virtual table, if not the caller. */
  readonly reader?: Caller;
  /** Null: all rows. */
  readonly limit: number | null;
  readonly offset: number;
}

/** Which counts are requested: of all rows that the caller may read, and of those that the filter matches. */
export interface Meta {
  readonly total: boolean;
  readonly filtered: boolean;
}

export const NO_META: Meta = { total: false, filtered: false };

export interface ListQuery extends RowQuery {
  readonly meta: Meta;
}

/** A query whose variables are replaced by values. */
export type BoundQuery = RowQuery<BoundFilter>;
