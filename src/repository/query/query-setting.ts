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
  /** Default number of rows on a page. */
  readonly defaultLimit: number;
  /** Largest number of rows on a page; `limit=-1` means this. */
  readonly maxLimit: number;
  /** How many relations `fields` may follow one after another. */
  readonly maxDepth: number;
}

const MAX_RELATIONS = 250;
const MAX_SIZES = 20;

/** Counts what costs more than a cell: relations that one query opens, and lists whose size it shows. */
export class OpenedRelations {
  private count = 0;
  private sizes = 0;

  /** Each relation costs a statement. */
  add(as: string): void {
    if (++this.count > MAX_RELATIONS) {
      throw malformed(['fields', as], `opens more than ${MAX_RELATIONS} relations in all`);
    }
  }

  /** Each list is counted for every row. */
  addSize(as: string): void {
    if (++this.sizes > MAX_SIZES) {
      throw malformed(['fields', as], `counts more than ${MAX_SIZES} lists in all`);
    }
  }
}

/** The fields that may be shown, including concealed ones. */
export interface Shown extends FieldLookup {
  fields(collection: string): readonly FieldShape[];
  /** The fields whose functions may be shown. */
  readonly comparable: FieldLookup;
}

/** What a query parser needs to know about the caller and the configuration. */
export interface QuerySetting {
  /** The fields that may be named in filters, sorts and paths; concealed ones are not included. */
  readonly named: FieldLookup;
  /** The fields that may be shown. */
  readonly shown: Shown;
  /** Whether the collection keeps deleted rows, so that a query may request them. */
  readonly keepsDeleted: (collection: string) => boolean;
  readonly limits: QueryLimits;
  readonly opened: OpenedRelations;
  /** The reader on whose virtual tables the rows are read, if not the caller's. */
  readonly reader?: Caller;
  /** The setting for rows that a relation leads to, if it differs. */
  readonly below?: (relation: FieldSelection) => QuerySetting;
  /** Counts all filters of one query together: each relation may have one. */
  readonly size: FilterSize;
}

/** The setting for the rows that a relation leads to. */
export const settingBelow = (setting: QuerySetting, relation: FieldSelection): QuerySetting =>
  setting.below?.(relation) ?? setting;
