import type { Cell } from '../../../src/engine';

type Place = readonly [collection: string, key: Cell];

/** A request may write each row once, and may not take a row for one list that another list keeps. */
export class Claims {
  private readonly written = new Set<string>();
  private readonly kept = new Set<string>();
  private readonly joined = new Set<string>();

  constructor(private readonly refuse: (code: string) => void) {}

  write(...row: Place): void {
    this.note(row, this.written, this.written);
  }

  keep(foreignKey: string, ...row: Place): void {
    this.note([...row, foreignKey], this.kept, this.joined);
  }

  join(foreignKey: string, ...row: Place): void {
    this.note([...row, foreignKey], this.joined, this.kept);
  }

  private note(what: readonly Cell[], to: Set<string>, against: ReadonlySet<string>): void {
    const noted = JSON.stringify(what);
    if (against.has(noted)) this.refuse('INVALID_PAYLOAD');
    to.add(noted);
  }
}
