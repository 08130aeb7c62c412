import type { Cell, Rule } from '../engine';
import type { MarkedSource } from '../repository';

/** Measured: a parsed rule keeps about a kilobyte, and ten bytes for each of its filters and fields as written. */
const OF_RULE = 1_000;
const OF_WRITTEN = 10;
/** Measured: an empty object keeps 64 bytes for the three characters that it is written with in a list. */
const OF_JSON = 24;
const OF_CELL = 50;

const known = new WeakMap<Rule, number>();

/** Records the weight of a rule, from its source. */
export function noteWeight(rule: Rule, { marks: _, presets, ...written }: MarkedSource): void {
  const parts = OF_WRITTEN * JSON.stringify(written).length;
  known.set(rule, OF_RULE + parts + OF_JSON * JSON.stringify(presets ?? null).length);
}

/** Roughly how many bytes a parsed rule uses; bound to a caller it uses as many again. */
export const weightOfRule = (rule: Rule): number => known.get(rule) ?? OF_RULE;

/** Roughly how many bytes a cell uses. */
export function weightOfCell(cell: Cell): number {
  if (typeof cell === 'string') return OF_CELL + 2 * cell.length;
  if (typeof cell !== 'object' || cell === null) return OF_CELL;
  return OF_CELL + OF_JSON * JSON.stringify(cell).length;
}
