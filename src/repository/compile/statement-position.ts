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
/**
 * How many EXISTS of a query PostgreSQL may hash: it then holds all their keys in memory until the statement ends, some
 * megabytes for each, and more where it expects fewer rows than there are. Rules are the administrator's, and often select
 * few rows: those on the rows that the statement is about do not count.
 */
const MAX_HASHED = 8;
/** Keeps PostgreSQL from joining or hashing a subselect: it is planned once and run for each row. It has no other effect. */
export const FENCE = ' OFFSET 0';

interface Spent {
  joined: number;
  hashed: number;
}

/** What is known of a position. */
interface Place {
  /** Whether PostgreSQL pulls up an EXISTS from here. */
  readonly joining: boolean;
  /** In how many EXISTS this is that are planned twice. */
  readonly doubled: number;
  /** Whether the condition is about the rows that the statement is about, not about rows that it follows a relation to. */
  readonly atRoot: boolean;
  /** Whether this is in a rule on those rows. */
  readonly inRule: boolean;
}

/**
 * Where in a statement a condition is, as PostgreSQL's planner sees it. Immutable except for what the statement has spent.
 */
export class StatementPosition {
  private constructor(
    private readonly spent: Spent,
    private readonly place: Place,
  ) {}

  /** Among the AND-ed conditions of a new statement. */
  static root(): StatementPosition {
    return new StatementPosition(
      { joined: 0, hashed: 0 },
      { joining: true, doubled: 0, atRoot: true, inRule: false },
    );
  }

  /** Under an OR, in a CASE or in the output: PostgreSQL pulls up no EXISTS from there. */
  get withoutPullUp(): StatementPosition {
    return this.place.joining ? this.moved({ joining: false }) : this;
  }

  /** In a rule on the rows that are read here. */
  get rule(): StatementPosition {
    return this.place.atRoot && !this.place.inRule ? this.moved({ inRule: true }) : this;
  }

  /** Among the AND-ed conditions of a SELECT that is used here as a value. */
  get select(): StatementPosition {
    return this.moved({ joining: true, atRoot: false });
  }

  /** Adds an EXISTS at this position: the end of its SELECT, and the position of its AND-ed conditions. */
  exists(): { readonly end: string; readonly inside: StatementPosition } {
    if (this.place.joining) {
      const { fenced, inside } = this.join();
      return { end: fenced ? FENCE : '', inside };
    }
    const { doubled } = this.place;
    if (doubled === MAX_DOUBLED || !this.mayHash()) return { end: FENCE, inside: this.select };
    return { end: '', inside: this.select.moved({ doubled: doubled + 1 }) };
  }

  /** Adds a join: whether it must be fenced, and the position of its AND-ed conditions. */
  join(): { readonly fenced: boolean; readonly inside: StatementPosition } {
    return { fenced: this.spent.joined++ >= MAX_JOINED, inside: this.select };
  }

  private mayHash(): boolean {
    return this.place.inRule || this.spent.hashed++ < MAX_HASHED;
  }

  private moved(place: Partial<Place>): StatementPosition {
    return new StatementPosition(this.spent, { ...this.place, ...place });
  }
}
