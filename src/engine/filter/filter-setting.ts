import type { FieldLookup, FieldShape } from '../schema/schema';
import type { FilterSize } from './filter-size';

/** How a filter may be written in its position. */
export interface FilterSetting {
  readonly lookup: FieldLookup;
  /**
   * `rule` refuses what can only be a mistake in a stored rule: a literal `_nin: []`, and short forms. `query` reads
   * `{status: 'draft'}` as `_eq`.
   */
  readonly position: 'rule' | 'query';
  /** `_regex` is allowed in `validation` and the e-mail filter only. */
  readonly regex?: boolean;
  /** Counts several filters together; by default only this one. */
  readonly size?: FilterSize;
  /** Fields of the root collection that the lookup hides but that may still be named. */
  readonly alsoNamed?: ReadonlyMap<string, FieldShape>;
}
