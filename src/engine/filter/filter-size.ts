import { malformed } from '../access-fault';
import type { Place } from './place';

/** Bounds on a filter, whoever writes it: nesting, members in all, and operands of its lists in all. */
export const FILTER_LIMITS = { depth: 30, nodes: 1000, list: 10_000 } as const;

/** How large a filter, or all that one query holds, has become while it is read; it is refused once it is too large. */
export class FilterSize {
  private nodes = 0;
  private operands = 0;

  addNode(place: Place): void {
    if (place.depth > FILTER_LIMITS.depth) {
      throw malformed(about(place), `is nested deeper than ${FILTER_LIMITS.depth}`);
    }
    if (++this.nodes > FILTER_LIMITS.nodes) {
      throw malformed(about(place), `has more than ${FILTER_LIMITS.nodes} members`);
    }
  }

  addOperands(count: number, place: Place): void {
    this.operands += count;
    if (this.operands > FILTER_LIMITS.list) {
      throw malformed(about(place), `has more than ${FILTER_LIMITS.list} operands in its lists`);
    }
  }
}

/** Where, in a few words: the whole way there may be as long as the filter. */
const about = (place: Place): readonly string[] => place.path.slice(0, 4);
