import type { Cell, Rule } from '../access';

/** Measured: a parsed rule keeps about a kilobyte, and ten bytes for each that it was written with. */
const OF_RULE = 1_000;
const OF_WRITTEN = 10;
const OF_CELL = 50;

const known = new WeakMap<Rule, number>();

/** Notes what a rule weighs, by what it was read from. */
export function noteWeight(rule: Rule, written: object): void {
  known.set(rule, OF_RULE + OF_WRITTEN * JSON.stringify(written).length);
}

/** About how many bytes a parsed rule keeps; bound to a caller it keeps as many again. */
export const weightOfRule = (rule: Rule): number => known.get(rule) ?? OF_RULE;

/** About how many bytes a cell keeps. */
export function weightOfCell(cell: Cell): number {
  if (typeof cell === 'string') return OF_CELL + 2 * cell.length;
  if (typeof cell !== 'object' || cell === null) return OF_CELL;
  return OF_CELL + OF_WRITTEN * JSON.stringify(cell).length;
}
