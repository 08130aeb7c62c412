import { malformed } from '../access-fault';
import type { FilterPosition } from './filter-position';

/** Bounds on any filter: nesting, members in all, and operands of its lists in all. */
export const FILTER_LIMITS = { depth: 30, nodes: 1000, list: 10_000 } as const;

/** The size of a filter, or of all filters of one query, while it is read; it is refused once it is too large. */
export class FilterSize {
  private nodes = 0;
  private operands = 0;

  addNode(position: FilterPosition): void {
    if (position.depth > FILTER_LIMITS.depth) {
      throw malformed(about(position), `is nested deeper than ${FILTER_LIMITS.depth}`);
    }
    if (++this.nodes > FILTER_LIMITS.nodes) {
      throw malformed(about(position), `has more than ${FILTER_LIMITS.nodes} members`);
    }
  }

  addOperands(count: number, position: FilterPosition): void {
    this.operands += count;
    if (this.operands > FILTER_LIMITS.list) {
      throw malformed(about(position), `has more than ${FILTER_LIMITS.list} operands in its lists`);
    }
  }
}

/** A short position: the full path may be as long as the filter. */
const about = (position: FilterPosition): readonly string[] => position.path.slice(0, 4);
