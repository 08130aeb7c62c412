/**
 * How many EXISTS of one statement may become joins: PostgreSQL's planner tries their orders, without bound on time and
 * memory.
 */
const MAX_JOINED = 4;
/**
 * An EXISTS that is not joined is planned twice, plain and hashed, and so is each one inside it: this many levels may
 * be.
 */
const MAX_DOUBLED = 2;
/** Keeps PostgreSQL from joining an EXISTS: it is planned once and run for each row. It has no other effect. */
const FENCE = ' OFFSET 0';

/**
 * Where in a statement a condition is, as PostgreSQL's planner sees it. Immutable except for the count of EXISTS used.
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
  get apart(): StatementPosition {
    return this.joining ? new StatementPosition(this.spent, false, this.doubled) : this;
  }

  /** Among the AND-ed conditions of a SELECT that is used here as a value. */
  get select(): StatementPosition {
    return this.joining ? this : new StatementPosition(this.spent, true, this.doubled);
  }

  /** Adds an EXISTS at this position: the end of its SELECT, and the position of its AND-ed conditions. */
  exists(): { readonly end: string; readonly inside: StatementPosition } {
    if (this.joining) {
      return { end: this.spent.joined++ < MAX_JOINED ? '' : FENCE, inside: this };
    }
    if (this.doubled === MAX_DOUBLED) return { end: FENCE, inside: this.select };
    return { end: '', inside: new StatementPosition(this.spent, true, this.doubled + 1) };
  }
}
