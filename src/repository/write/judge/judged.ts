import { type Case, type Cell, mergePresets } from '../../../engine';
import type { StoredCollection } from '../../registry/stored-collection';
import type { Key, Values } from '../../write-context';
import type { PlannedRow } from '../plan/plan';
import { mergeLayers } from '../store/shared-columns';

/**
 * One row of a write: the values that are written to it (of the payload, presets, hooks and the service), before
 * `toStored`, and for an update the cases that the row matched before the first write.
 */
export interface Judged {
  readonly key: Key;
  /** As in `PlannedRow`. */
  readonly item?: number | undefined;
  /** Every field of the payload, lists included, without presets. */
  readonly fields: readonly string[];
  readonly values: ReadonlyMap<string, Cell>;
  readonly matching?: readonly Case[];
  /** As in `PlannedRow`; alike for all rows that are judged together. */
  readonly hidden: readonly string[];
}

/** @param linked foreign keys that were unknown when the row was planned */
export function judgedOf(row: PlannedRow, linked: Values, collection: StoredCollection): Judged {
  const { key, item, cases, values, fields, hidden, set, defaults, filled } = row;
  // The payload overrides presets, hooks override the payload, and the service's values override all; the database
  // fills the rest.
  const layers = [defaults, mergePresets(cases), values, linked, set, filled];
  const written = mergeLayers(layers, collection, key);
  return {
    key: key ?? '',
    item,
    fields,
    hidden,
    values: written,
    ...(key !== undefined && { matching: cases }),
  };
}

export const keysOf = (rows: readonly Judged[]): Key[] => rows.map(({ key }) => key);
