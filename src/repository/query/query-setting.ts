import type { FieldLookup, FieldShape, FilterSize } from '../../engine';
import type { OpenedRelations, QueryLimits } from './query-limits';

/** What a parser of queries needs to know of the caller and the configuration. */
export interface QuerySetting {
  /** The fields that may be named in filters, sorts and paths: concealed ones are not among them. */
  readonly named: FieldLookup;
  /** The fields that may be shown. */
  readonly shown: FieldLookup & { fields(collection: string): readonly FieldShape[] };
  readonly limits: QueryLimits;
  readonly opened: OpenedRelations;
  /** Of all the filters of one query: each relation may have one. */
  readonly size: FilterSize;
}
