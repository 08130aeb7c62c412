import type { Change } from '../hooks';
import type { Key, LookUp, TransactionContext } from '../write-context';

/** What the hooks of one write have looked up for all of its rows, as long as nothing is written after it. */
export class LookUps {
  private readonly found = new Map<LookUp<unknown>, Promise<unknown>>();
  private changed = 0;

  /**
   * @param changes of the transaction, in any name; it grows
   * @param keys of all rows that the write updates or deletes
   */
  constructor(
    private readonly changes: readonly Change[],
    private readonly keys: readonly Key[],
  ) {}

  once<T>(lookUp: LookUp<T>, context: TransactionContext): Promise<T> {
    if (this.changed !== this.changes.length) this.found.clear();
    this.changed = this.changes.length;
    const known = this.found.get(lookUp) as Promise<T> | undefined;
    if (known) return known;
    const found = (async () => lookUp(this.keys, context))();
    this.found.set(lookUp, found);
    return found;
  }
}
