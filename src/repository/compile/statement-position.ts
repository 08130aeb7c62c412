/** EXISTS of one statement that may become joins: PostgreSQL tries their orders, in time and memory without bound. */
const MAX_JOINED = 4;
/** An EXISTS that is no join is planned twice, plain and hashed, and so is each in it: so many within one another. */
const MAX_DOUBLED = 2;
/** Makes an EXISTS a matter of its own, planned once and asked for each row: it means nothing else. */
const FENCE = ' OFFSET 0';

/** Where in a statement a condition stands, as PostgreSQL's planner sees it. Immutable but for what it has spent. */
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

  /** Under an OR, in a CASE or in the output: no EXISTS is pulled up from there. */
  get apart(): StatementPosition {
    return this.joining ? new StatementPosition(this.spent, false, this.doubled) : this;
  }

  /** Among the AND-ed conditions of a SELECT that stands here as a value. */
  get select(): StatementPosition {
    return this.joining ? this : new StatementPosition(this.spent, true, this.doubled);
  }

  /** Takes an EXISTS that stands here: what its SELECT ends with, and the place of its AND-ed conditions. */
  exists(): { readonly end: string; readonly inside: StatementPosition } {
    if (this.joining) {
      return { end: this.spent.joined++ < MAX_JOINED ? '' : FENCE, inside: this };
    }
    if (this.doubled === MAX_DOUBLED) return { end: FENCE, inside: this.select };
    return { end: '', inside: new StatementPosition(this.spent, true, this.doubled + 1) };
  }
}
