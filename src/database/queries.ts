/** A row as the driver gives it, by column name: times, `bigint` and `numeric` are text (see type-parsers). */
export type SqlRow = Record<string, unknown>;

/** Rows as lists of cells, in the order of the names: for many rows cheaper than objects. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs SQL: one statement at a time, with parameters `$1`, `$2` … */
export interface Queries {
  /**
   * Runs a statement and gives its rows as objects. `R` is the type that is expected of a row; it is not checked.
   *
   *     const [row] = await tx.query<{ total: string }>('SELECT sum(price) AS total FROM lines WHERE invoice = $1', [7]);
   *
   * @throws what the driver throws, such as pg's `DatabaseError`
   */
  query<R extends object = SqlRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * The same with rows as lists of cells, which is cheaper for many rows.
   * @param weigh is called with the length of each value that may be long; what it throws ends the reading
   * @param maxRows how many rows there may be, if that is known: reads of few rows do not wait for those of many
   */
  table(text: string, values?: readonly unknown[], weigh?: Weigh, maxRows?: number): Promise<Table>;
}

/** Called with the length of a value before it is read; what it throws ends the reading. */
export type Weigh = (characters: number) => void;

/** An open transaction. When it has ended, every call is refused. */
export interface Tx extends Queries {
  /** Adds work that runs after the commit, in the order of the calls; it does not run after a rollback. */
  afterCommit(work: () => void | Promise<void>): void;
  /**
   * Adds a statement that runs last, and is sent together with the COMMIT: exactly one in a text. Its rows are not read;
   * where it fails, nothing is committed.
   */
  withCommit(text: string, values: readonly unknown[]): void;
}
