import type { CollectionShape } from '../../engine';
import type { About, EntityClass } from '../../common/schema';
import type { Column, Reference } from './column';

/** A collection with what SQL needs to know of it. */
export interface StoredCollection extends CollectionShape {
  readonly entity: EntityClass | null;
  /** The quoted, schema-qualified table. */
  readonly table: string;
  /** The stored fields' columns. */
  readonly columns: ReadonlyMap<string, Column>;
  /** By which its rows go with others, or lose them. */
  readonly references: readonly Reference[];
  /** Its rows are about those of other collections. */
  readonly about?: About;
}

/** The column of a stored field. The field comes from the same collection's shape, so it has one. */
export function columnOf(collection: StoredCollection, field: string): Column {
  const column = collection.columns.get(field);
  if (!column) throw new Error(`${collection.name} stores no field ${field}`);
  return column;
}
