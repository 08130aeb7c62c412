/** A fault, and where it is. */
export interface Fault {
  /** In a file, line and column from 1: `12:5`. In code, the path: `policies.clerks.permissions.0`. */
  readonly place: string;
  readonly reason: string;
}

/** How many faults are reported at once. */
const MAX_SHOWN = 20;

/** A file that cannot be applied. Nothing was changed. */
export class FileFault extends Error {
  override readonly name = 'FileFault';

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ place, reason }) => `${place} ${reason}`).join('\n'));
  }

  /** One line for each fault: `rules.yaml:12:5 names the field …`. */
  messageFor(file: string): string {
    const lines = this.faults
      .slice(0, MAX_SHOWN)
      .map(({ place, reason }) => `${file}:${place} ${reason}`);
    const more = this.faults.length - lines.length;
    return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
  }
}
