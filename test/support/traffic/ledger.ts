/** A row of a writer's, as it was written. */
export interface State {
  readonly title: string;
  readonly qty: number;
  readonly status: string;
}

/** A row as it was read. */
export interface ReadRow extends State {
  readonly id: number;
}

/** What a row may be; undefined: gone. One alone: what it is. */
type Possible = readonly (State | undefined)[];

/** What one writer has written, as far as it was acknowledged, and what may have been written besides. */
export class Ledger {
  private readonly rows = new Map<number, Possible>();
  /** Of creates that nobody answered. */
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

  /** Rows that are there and known, the oldest first. */
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

  /** @param rows all that there are */
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
