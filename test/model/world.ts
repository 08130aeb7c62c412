import type { Cell, RuleSource } from '../../src/engine';

/** A filter as JSON. */
export type RawFilter = { readonly [name: string]: unknown };
export type StoredRow = Readonly<Record<string, Cell>>;
export type Contents = Readonly<Record<string, readonly StoredRow[]>>;

export type ModelRule = Pick<
  RuleSource,
  'collection' | 'action' | 'permissions' | 'validation' | 'presets' | 'fields'
> & { readonly permissions: RawFilter | null; readonly validation: RawFilter | null };

export interface Caller {
  readonly administrator: boolean;
  readonly user: string | null;
  readonly policies: readonly string[];
}

/** The stored rows, the caller and the rules: everything that an answer depends on. */
export interface World {
  readonly rows: Contents;
  readonly caller: Caller;
  readonly rules: readonly ModelRule[];
}

/** `year(date)` is shown as `date_year`. */
export const shownName = (name: string): string => name.replace(/^(\w+)\((\w+)\)$/, '$2_$1');

/** A query for rows of a collection, before it is written as query parameters. */
export interface Asked {
  readonly star: boolean;
  /** Fields, and functions of fields. */
  readonly fields: readonly { readonly as: string; readonly name: string }[];
  readonly relations: readonly AskedRelation[];
  readonly filter: RawFilter | null;
  readonly search: string | null;
  readonly sort: readonly string[];
  readonly limit: number | null;
  readonly offset: number | null;
  /** From 1; ignored if there is an offset. */
  readonly page: number | null;
}

export interface AskedRelation {
  readonly as: string;
  readonly name: string;
  /** Null: the relation is named but not opened. */
  readonly asked: Asked | null;
}

/** The payload of a create or an update: values, and for relations keys, objects and lists. */
export type SentRow = Readonly<Record<string, Cell>>;

export type Write = {
  readonly collection: string;
  readonly bold: boolean;
  /** Whether one row is written as a single item, by the key in the path. */
  readonly single?: boolean;
} & (
  | { readonly kind: 'create'; readonly payloads: readonly SentRow[] }
  | { readonly kind: 'update'; readonly keys: readonly Cell[]; readonly payload: SentRow }
  | ({ readonly kind: 'update selected'; readonly payload: SentRow } & Selection)
  | {
      readonly kind: 'update each';
      readonly updates: readonly { readonly key: Cell; readonly payload: SentRow }[];
    }
  | { readonly kind: 'delete'; readonly keys: readonly Cell[] }
  | ({ readonly kind: 'delete selected' } & Selection)
);

/** A query that selects the rows of a write. */
export interface Selection {
  readonly filter: RawFilter;
  /** Other parameters of the query. */
  readonly page: { readonly limit?: number; readonly offset?: number; readonly search?: string };
  /** Parameters that are not allowed there, since they only affect how rows are shown. */
  readonly shown: RawFilter;
}

export interface Query {
  readonly collection: string;
  readonly asked: Asked;
  /** The key of a single item. */
  readonly key: Cell;
  /** Whether the key is sent as text, in capitals. */
  readonly keyAsText: boolean;
  readonly meta: boolean;
  /** Whether the query asks for deleted rows. */
  readonly deleted: 'with' | 'only' | null;
  /** Whether names that no rule grants stay in the query. */
  readonly bold: boolean;
  /** Names of fields at most: such a query is prepared once for all requests of a caller. */
  readonly simple: boolean;
}
