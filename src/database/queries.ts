/** A row as the driver gives it: times, bigint and numeric are text (see type-parsers). */
export type SqlRow = Record<string, unknown>;

/** Rows as lists of cells, in the order of the names: for many rows cheaper than objects. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs one parametrised statement (`$1` …) and gives its rows. */
export interface Queries {
  query<R extends object = SqlRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** @param weigh is given the length of each value that may be long, and refuses the rest by throwing */
  table(text: string, values?: readonly unknown[], weigh?: Weigh): Promise<Table>;
}

export type Weigh = (characters: number) => void;

/** An open transaction. Once it has ended, everything is refused. */
export interface Tx extends Queries {
  /** Runs once the transaction is committed, in the order given; not at all if it is rolled back. */
  afterCommit(work: () => void | Promise<void>): void;
  /**
   * Runs a statement as the last of the transaction, on its way with the COMMIT: what it gives is not read, and where it
   * fails nothing is committed.
   */
  withCommit(text: string, values: readonly unknown[]): void;
}
