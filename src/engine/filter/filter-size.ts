import { malformed } from '../access-fault';
import { FILTER_LIMITS } from './limits';
import type { Place } from './place';

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
