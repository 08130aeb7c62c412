import type { SeedData, World } from '../../factories';

export type Id = string | number;
export type Item = Readonly<Record<string, unknown>>;

/** The query of a read, for an answer or for a selection, with the names that REST and GraphQL share. */
export interface Query {
  readonly fields?: readonly string[];
  readonly filter?: object;
  readonly search?: unknown;
  readonly sort?: readonly string[];
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly page?: unknown;
  readonly meta?: readonly string[];
  readonly alias?: object;
  readonly deep?: object;
  readonly deleted?: unknown;
}

/** An operation on a collection, over REST or GraphQL. */
export type Operation = { readonly query?: Query } & (
  | { readonly operation: 'list' | 'search' }
  | { readonly operation: 'one'; readonly id: Id }
  | { readonly operation: 'create'; readonly data: unknown }
  | { readonly operation: 'createMany'; readonly data: readonly unknown[] }
  | { readonly operation: 'update'; readonly id: Id; readonly data: unknown }
  | { readonly operation: 'updateMany'; readonly ids: readonly unknown[]; readonly data: Item }
  | { readonly operation: 'updateWhere'; readonly where: Query; readonly data: Item }
  | { readonly operation: 'updateEach'; readonly data: readonly unknown[] }
  | { readonly operation: 'delete'; readonly id: Id }
  | { readonly operation: 'deleteMany'; readonly ids: readonly unknown[] }
  | { readonly operation: 'deleteWhere'; readonly where: Query }
  | { readonly operation: 'readSingleton' }
  | { readonly operation: 'updateSingleton'; readonly data: unknown }
);

/** One fault of a refusal; only the given members are compared. */
export interface Fault {
  readonly code: string;
  readonly field?: string | undefined;
  readonly type?: string;
  readonly valid?: unknown;
  readonly item?: number | undefined;
}

export interface Expected {
  /** Exactly this data. */
  readonly gives?: unknown;
  /** Data that contain this. */
  readonly shows?: unknown;
  readonly meta?: object;
  /** Success without data. */
  readonly silent?: true;
  /** Refused, with exactly this code or these faults; the stored rows must then be unchanged. */
  readonly refused?: string | readonly Fault[];
  /** Texts that must not appear anywhere in the answer. */
  readonly hides?: readonly string[];
  /** Stored rows afterwards, by table and id; null: no such row. */
  readonly stored?: Readonly<Record<string, Readonly<Record<string, object | null>>>>;
  /** All changes to stored rows, by table. */
  readonly changes?: Readonly<Record<string, TableChanges>>;
}

export interface TableChanges {
  /** Some of the cells of added and removed rows. */
  readonly added?: readonly object[];
  readonly removed?: readonly object[];
  /** All changed cells, by the row’s id. */
  readonly changed?: Readonly<Record<string, object>>;
}

/** One case: the caller, the operation and the result. Ids are written as names from the seed data: `<ann>`. */
export type Scenario = {
  readonly it: string;
  /** Null: not signed in. */
  readonly caller: string | null;
  /** The reason why it can be played only over REST. */
  readonly restOnly?: string;
  readonly collection: string;
} & Operation &
  Expected;

/** The result of an operation, over REST or GraphQL. */
export interface Outcome {
  readonly faults: readonly Fault[];
  /** Undefined if there is none. */
  readonly data: unknown;
  readonly meta: unknown;
  /** The whole answer as text. */
  readonly text: string;
}

/** A transport: turns an operation into its request, and the answer into an outcome. */
export interface Transport {
  readonly name: string;
  /** Whether the operation is possible here. */
  serves(scenario: Scenario): boolean;
  run(world: World, scenario: Scenario): Promise<Outcome>;
}

export interface Play {
  readonly seed: SeedData;
  readonly scenarios: readonly Scenario[];
}

export interface PlayIn {
  /** Opens the world of these scenarios. */
  readonly open: () => Promise<World>;
  readonly scenarios: readonly Scenario[];
}
