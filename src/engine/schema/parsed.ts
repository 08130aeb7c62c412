import type { ScalarType, ValueBounds } from './schema';
import type { Value } from './value';

/** A value that its column cannot hold: of the wrong type, or beyond a bound of the right one. */
export interface Misfit {
  readonly misfit: 'type' | 'range' | 'length' | 'choice';
  readonly reason: string;
}

/** The canonical value, or why there is none. */
export type Parsed = { readonly value: Value } | Misfit;

/** The type of a column, with its bounds. */
export interface ColumnType extends ValueBounds {
  readonly type: ScalarType;
}

export const wrongType = (reason: string): Misfit => ({ misfit: 'type', reason });
export const outOfRange = (reason: string): Misfit => ({ misfit: 'range', reason });
