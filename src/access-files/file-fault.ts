/** What is wrong with a file, and where; lines and columns count from 1. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** How many faults are told at once. */
const MAX_TOLD = 20;

/** A file that says nothing that could be carried out. Nothing was changed. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ line, column, reason }) => `${line}:${column} ${reason}`).join('\n'));
  }

  /** A line for each fault: `rules.yaml:12:5 names the field …`. */
  toldOf(file: string): string {
    const lines = this.faults
      .slice(0, MAX_TOLD)
      .map(({ line, column, reason }) => `${file}:${line}:${column} ${reason}`);
    const more = this.faults.length - lines.length;
    return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
  }
}
