import {
  type Caller,
  type FieldLookup,
  type FieldShape,
  type FilterSize,
  malformed,
} from '../../engine';
import type { FieldSelection } from './field-selection';

/** How much one query may ask for; from the configuration. */
export interface QueryLimits {
  /** Rows of a page where the query does not say. */
  readonly defaultLimit: number;
  /** Rows of a page at the most; what `limit=-1` means. */
  readonly maxLimit: number;
  /** Relations that `fields` may follow one after another. */
  readonly maxDepth: number;
}

const MAX_RELATIONS = 250;
const MAX_SIZES = 20;

/** Counts what costs more than a cell: the relations that one query opens, and the lists that it shows the size of. */
export class OpenedRelations {
  private count = 0;
  private sizes = 0;

  /** Each costs a statement. */
  add(as: string): void {
    if (++this.count > MAX_RELATIONS) {
      throw malformed(['fields', as], `opens more than ${MAX_RELATIONS} relations in all`);
    }
  }

  /** Each is counted for every row. */
  addSize(as: string): void {
    if (++this.sizes > MAX_SIZES) {
      throw malformed(['fields', as], `counts more than ${MAX_SIZES} lists in all`);
    }
  }
}

/** The fields that may be shown, concealed ones among them. */
export interface Shown extends FieldLookup {
  fields(collection: string): readonly FieldShape[];
  /** Those of which functions may be shown. */
  readonly comparable: FieldLookup;
}

/** What a parser of queries needs to know of the caller and the configuration. */
export interface QuerySetting {
  /** The fields that may be named in filters, sorts and paths: concealed ones are not among them. */
  readonly named: FieldLookup;
  /** The fields that may be shown. */
  readonly shown: Shown;
  /** Whether rows that were deleted are kept, and so may be asked for. */
  readonly keepsDeleted: (collection: string) => boolean;
  readonly limits: QueryLimits;
  readonly opened: OpenedRelations;
  /** Whose virtual tables the rows are read on, where those are not the caller's. */
  readonly reader?: Caller;
  /** What holds for the rows that a relation leads to, where that is something else. */
  readonly below?: (relation: FieldSelection) => QuerySetting;
  /** Of all the filters of one query: each relation may have one. */
  readonly size: FilterSize;
}

export const settingBelow = (setting: QuerySetting, relation: FieldSelection): QuerySetting =>
  setting.below?.(relation) ?? setting;
