import type { SeedData, World } from '../../factories';

export type Id = string | number;
export type Item = Readonly<Record<string, unknown>>;

/** The query of a read, of an answer or of a selection, by the names that REST and GraphQL share. */
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

/** What is asked of a collection, over REST or GraphQL. */
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

/** One fault of a refusal; what is not said is not looked at. */
export interface Fault {
  readonly code: string;
  readonly field?: string | undefined;
  readonly type?: string;
  readonly valid?: unknown;
}

export interface Expected {
  /** Exactly this data. */
  readonly gives?: unknown;
  /** Data that hold this. */
  readonly shows?: unknown;
  readonly meta?: object;
  /** Nothing to say: success without data. */
  readonly silent?: true;
  /** Refused, with this code or these faults and no others; what is stored is then unchanged, or the test fails. */
  readonly refused?: string | readonly Fault[];
  /** What must not appear anywhere in the answer. */
  readonly hides?: readonly string[];
  /** Stored rows afterwards, by table and id; null: no such row. */
  readonly stored?: Readonly<Record<string, Readonly<Record<string, object | null>>>>;
  /** Everything that is stored otherwise than before, by table. */
  readonly changes?: Readonly<Record<string, TableChanges>>;
}

export interface TableChanges {
  /** Rows that came, or went: some of their cells. */
  readonly added?: readonly object[];
  readonly removed?: readonly object[];
  /** All cells that are others now, by the row’s id. */
  readonly changed?: Readonly<Record<string, object>>;
}

/** One case: who asks what, and what comes of it. Ids are written as names from the seed data: `<ann>`. */
export type Scenario = {
  readonly it: string;
  /** Null: nobody who is signed in. */
  readonly caller: string | null;
  /** Why it can be played over REST alone. */
  readonly restOnly?: string;
  readonly collection: string;
} & Operation &
  Expected;

/** What came of an operation, over REST or GraphQL. */
export interface Outcome {
  readonly faults: readonly Fault[];
  /** Undefined where there is none. */
  readonly data: unknown;
  readonly meta: unknown;
  /** The whole answer, as it was sent. */
  readonly text: string;
}

/** A transport: turns an operation into its request, and the answer into an outcome. */
export interface Transport {
  readonly name: string;
  /** Whether the operation can be asked for here at all. */
  serves(scenario: Scenario): boolean;
  run(world: World, scenario: Scenario): Promise<Outcome>;
}

export interface Play {
  readonly seed: SeedData;
  readonly scenarios: readonly Scenario[];
}

export interface PlayIn {
  /** A world of one’s own. */
  readonly open: () => Promise<World>;
  readonly scenarios: readonly Scenario[];
}
