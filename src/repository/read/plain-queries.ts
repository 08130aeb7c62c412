import { LRUCache } from 'lru-cache';
import type { Decision } from '../../engine';
import type { ListQuery } from '../query/query';

/**
 * The decision and the field names that alone determine a query that sets nothing but fields, limit or keys; limit and
 * keys come separately.
 */
export interface CacheKeyParts {
  readonly decision: Decision;
  /** Separated by commas; empty: all fields. */
  readonly fields: string;
}

/** Bytes that the whole cache may use. */
const MAX_BYTES = 4_000_000;
const OF_QUERY = 500;
const OF_FIELD = 100;

/** Looked-up queries that name some fields of one collection. */
export const plainQueries = new LRUCache<string, ListQuery>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ fields }, name) => OF_QUERY + name.length + OF_FIELD * fields.length,
});

const numbers = new WeakMap<Decision, number>();
let numbered = 0;

/**
 * The cache key of a query or its statement; it keeps no decision alive.
 * @returns undefined for a decision seen for the first time: it may exist for this request alone
 */
export function cacheKeyText({ decision, fields }: CacheKeyParts): string | undefined {
  const number = numberOf(decision);
  return number === undefined ? undefined : `${number} ${fields}`;
}

/** @returns undefined until `numberDecision` */
export const numberOf = (decision: Decision): number | undefined => numbers.get(decision);

/** A decision that is used again is worth caching for. */
export function numberDecision(decision: Decision): void {
  if (!numbers.has(decision)) numbers.set(decision, (numbered += 1));
}
