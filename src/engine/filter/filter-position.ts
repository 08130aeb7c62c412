import { malformed } from '../access-fault';
import type { Filter } from './filter';

/** The position of a parser in a filter. */
export interface FilterPosition {
  readonly collection: string;
  readonly path: readonly string[];
  readonly depth: number;
  /** Relations followed from the root collection. */
  readonly hops: number;
}

/** The position below a member. */
export const step = (position: FilterPosition, name: string): FilterPosition => ({
  ...position,
  path: [...position.path, name],
  depth: position.depth + 1,
});

export const isScalar = (raw: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof raw);

export function asObject(raw: unknown, path: readonly string[]): object {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw malformed(path, 'must be an object');
  }
  return raw;
}

export const entriesOf = (raw: unknown, path: readonly string[]): [string, unknown][] =>
  Object.entries(asObject(raw, path));

export function nonEmpty(raw: unknown, path: readonly string[]): [string, unknown][] {
  const entries = entriesOf(raw, path);
  if (entries.length === 0) throw malformed(path, 'must hold at least one operator');
  return entries;
}

/**
 * Drops no member, even where the others decide the result: one whose variable has no value still affects the enclosing
 * `_none`.
 */
export const joinFilters = (kind: 'and' | 'or', of: readonly Filter[]): Filter => {
  const [only] = of;
  return of.length === 1 && only ? only : { kind, of };
};
