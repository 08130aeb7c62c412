import { malformed } from '../access-fault';
import { isLongerThan } from '../schema/parse-value';
import type { FilterPosition } from './filter-position';

/** Bounds on any filter. */
export const FILTER_LIMITS = {
  /** How deep its members may be nested. */
  depth: 30,
  /** Members in all. */
  nodes: 1000,
  /** Values of its lists in all. */
  list: 10_000,
  /** Characters of one text to search for within others. */
  pattern: 1000,
  /** The same of all such texts together. */
  patterns: 5000,
} as const;

/**
 * Counts the characters of all patterns. The database compares each character of a pattern at each position of a cell,
 * and neither its time-out nor a cancel stops it before the end of the cell: only a bound does.
 */
export class PatternSize {
  private characters = 0;

  /** @returns the reason, where all patterns together are too long */
  add(pattern: string): string | undefined {
    const { pattern: one, patterns: all } = FILTER_LIMITS;
    if (isLongerThan(pattern, one)) return `must have at most ${one} characters`;
    this.characters += Array.from(pattern).length;
    if (this.characters <= all) return undefined;
    return `has, together with the other texts that are searched for, more than ${all} characters`;
  }
}

/** The size of a filter, or of all filters of one query, while it is read; it is refused once it is too large. */
export class FilterSize {
  private nodes = 0;
  private operands = 0;
  private readonly patterns = new PatternSize();

  addNode(position: FilterPosition): void {
    if (position.depth > FILTER_LIMITS.depth) {
      throw malformed(about(position), `is nested deeper than ${FILTER_LIMITS.depth}`);
    }
    if (++this.nodes > FILTER_LIMITS.nodes) {
      throw malformed(
        about(position),
        `is one too many: filters may have ${FILTER_LIMITS.nodes} members in all`,
      );
    }
  }

  addOperands(count: number, position: FilterPosition): void {
    this.operands += count;
    if (this.operands > FILTER_LIMITS.list) {
      const reason = `has, together with the other lists, more than ${FILTER_LIMITS.list} values`;
      throw malformed(about(position), reason);
    }
  }

  addPattern(pattern: string, path: readonly string[]): void {
    const reason = this.patterns.add(pattern);
    if (reason !== undefined) throw malformed(path, reason);
  }
}

/** A short position: the full path may be as long as the filter. */
const about = (position: FilterPosition): readonly string[] => position.path.slice(0, 4);
