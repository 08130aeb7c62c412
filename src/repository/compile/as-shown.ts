import type { ScalarType } from '../../engine';
import type { SqlType } from '../registry/column';

/**
 * Whether a stored value may be finer than what answers show of it: other programs can store times to the microsecond.
 */
export const isFinerThanShown = (type: ScalarType): boolean =>
  type === 'timestamp' || type === 'time';

/**
 * A cell to group by, cut to what answers show of it: `t0."at"` → `date_trunc('milliseconds', t0."at")`. No index can
 * be used for it.
 */
export function asShown(cell: string, { type }: SqlType): string {
  if (type === 'timestamp') return `date_trunc('milliseconds', ${cell})`;
  return type === 'time' ? `left(${cell}::text, 12)::time` : cell;
}
