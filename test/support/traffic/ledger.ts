/** A row of a writer, as it was written. */
export interface State {
  readonly title: string;
  readonly qty: number;
  readonly status: string;
}

/** A row as it was read. */
export interface ReadRow extends State {
  readonly id: number;
}

/** The possible states of a row; undefined: deleted. With a single one the state is certain. */
type Possible = readonly (State | undefined)[];

/** The acknowledged writes of one writer, and the writes whose result is unknown. */
export class Ledger {
  private readonly rows = new Map<number, Possible>();
  /** Rows of creates that got no answer. */
  private readonly doubtful = new Map<string, State>();

  created(id: number, state: State): void {
    this.rows.set(id, [state]);
  }

  maybeCreated(state: State): void {
    this.doubtful.set(state.title, state);
  }

  changed(id: number, state: State | undefined): void {
    this.rows.set(id, [state]);
  }

  maybeChanged(id: number, state: State | undefined): void {
    this.rows.set(id, [...(this.rows.get(id) ?? []), state]);
  }

  /** Rows whose state is certain, the oldest first. */
  get certain(): ReadRow[] {
    return [...this.rows].flatMap(([id, [state, ...others]]) =>
      state === undefined || others.length > 0 ? [] : { id, ...state },
    );
  }

  /** @returns what is wrong with rows that were read */
  faultsIn(rows: readonly ReadRow[]): string[] {
    return rows.flatMap((row) => {
      const possible = this.rows.get(row.id) ?? [this.doubtful.get(row.title)];
      if (possible.some((state) => state !== undefined && isSame(state, row))) return [];
      return `read ${JSON.stringify(row)}, where it may be ${JSON.stringify(possible)}`;
    });
  }

  /** @param rows all rows that exist */
  faultsInAll(rows: readonly ReadRow[]): string[] {
    const ids = new Set(rows.map(({ id }) => id));
    const lost = this.certain.filter(({ id }) => !ids.has(id));
    const twice = rows.length - new Set(rows.map(({ title }) => title)).size;
    return [
      ...this.faultsIn(rows),
      ...lost.map((row) => `lost ${JSON.stringify(row)}`),
      ...(twice > 0 ? [`${twice} creates were done twice`] : []),
    ];
  }
}

const isSame = (state: State, row: ReadRow): boolean =>
  state.title === row.title && state.qty === row.qty && state.status === row.status;
