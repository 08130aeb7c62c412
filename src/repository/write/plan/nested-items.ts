import { InvalidPayload } from '../../../common/errors';
import { MAX_ITEMS } from './selection-body';

/** How many levels of related items may be nested. */
export const MAX_NESTED = 5;

/** Counts the nested items of one transaction: how many are written, and how many leave lists. */
export class NestedItems {
  private written = 0;
  private leaving = 0;

  /** @throws InvalidPayload */
  write(items: number): void {
    this.written += items;
    if (this.written > MAX_ITEMS) throw tooMany('must hold');
  }

  /** A short body may remove many items from a list. @throws InvalidPayload */
  leave(items: number): void {
    this.leaving += items;
    if (this.leaving > MAX_ITEMS) throw tooMany('must remove from lists');
  }
}

const tooMany = (does: string): Error =>
  new InvalidPayload({ reason: `the body ${does} at most ${MAX_ITEMS} related items` });
