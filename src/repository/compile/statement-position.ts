/**
 * How many joins one statement may have, EXISTS that become joins included: PostgreSQL's planner tries their orders. On
 * 100,000 rows, planning takes 2 ms with four, 5 ms with five and 14 ms with six, which is longer than a page takes.
 */
const MAX_JOINED = 4;
/**
 * An EXISTS that is not joined is planned twice, plain and hashed, and so is each one inside it: this many levels may
 * be.
 */
const MAX_DOUBLED = 2;
/** Keeps PostgreSQL from joining a subselect: it is planned once and run for each row. It has no other effect. */
export const FENCE = ' OFFSET 0';

/**
 * Where in a statement a condition is, as PostgreSQL's planner sees it. Immutable except for the count of joins.
 */
export class StatementPosition {
  private constructor(
    private readonly spent: { joined: number },
    private readonly joining: boolean,
    private readonly doubled: number,
  ) {}

  /** Among the AND-ed conditions of a new statement. */
  static root(): StatementPosition {
    return new StatementPosition({ joined: 0 }, true, 0);
  }

  /** Under an OR, in a CASE or in the output: PostgreSQL pulls up no EXISTS from there. */
  get withoutPullUp(): StatementPosition {
    return this.joining ? new StatementPosition(this.spent, false, this.doubled) : this;
  }

  /** Among the AND-ed conditions of a SELECT that is used here as a value. */
  get select(): StatementPosition {
    return this.joining ? this : new StatementPosition(this.spent, true, this.doubled);
  }

  /** Adds an EXISTS at this position: the end of its SELECT, and the position of its AND-ed conditions. */
  exists(): { readonly end: string; readonly inside: StatementPosition } {
    if (this.joining) {
      const { fenced, inside } = this.join();
      return { end: fenced ? FENCE : '', inside };
    }
    if (this.doubled === MAX_DOUBLED) return { end: FENCE, inside: this.select };
    return { end: '', inside: new StatementPosition(this.spent, true, this.doubled + 1) };
  }

  /** Adds a join: whether it must be fenced, and the position of its AND-ed conditions. */
  join(): { readonly fenced: boolean; readonly inside: StatementPosition } {
    return { fenced: this.spent.joined++ >= MAX_JOINED, inside: this.select };
  }
}
