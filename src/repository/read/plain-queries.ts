import { LRUCache } from 'lru-cache';
import type { Decision } from '../../engine';
import type { ListQuery } from '../query/query';

/** What follows from a decision and from the names of what is shown; how many rows, and which, is said elsewhere. */
export interface Plain {
  readonly decision: Decision;
  /** Separated by commas; empty: all that there is. */
  readonly fields: string;
}

/** Bytes that all of them may keep. */
const ROOM = 4_000_000;
const OF_QUERY = 500;
const OF_FIELD = 100;

/** Queries that name some fields of one collection, once they were looked up. */
export const plainQueries = new LRUCache<string, ListQuery>({
  maxSize: ROOM,
  sizeCalculation: ({ fields }, name) => OF_QUERY + name.length + OF_FIELD * fields.length,
});

const numbers = new WeakMap<Decision, number>();
let numbered = 0;

/**
 * What a query or its statement is kept under: no decision is kept alive by it.
 * @returns nothing for a decision that is new here: it may be this request's own, and gone with it
 */
export function plainName({ decision, fields }: Plain): string | undefined {
  const number = numbers.get(decision);
  return number === undefined ? undefined : `${number} ${fields}`;
}

/** A decision that comes back is worth keeping something for. */
export function expectAgain(decision: Decision): void {
  if (!numbers.has(decision)) numbers.set(decision, (numbered += 1));
}
