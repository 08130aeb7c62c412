import { type CollectionShape, isStored, memoize, type StoredField } from '../../engine';
import type { About, EntityClass } from '../../common/schema';
import type { Column, ComputedColumn, ForeignKey, Reference, SqlType } from './column';

/** A collection with what SQL needs to know of it. */
export interface StoredCollection extends CollectionShape {
  readonly entity: EntityClass | null;
  /** The quoted, schema-qualified table. */
  readonly table: string;
  /** What rows are selected from: the table, or its live rows where deleted ones are kept. */
  readonly rows: string;
  /** The stored fields' columns. */
  readonly columns: ReadonlyMap<string, Column>;
  /** The fields without a column. */
  readonly computed?: ReadonlyMap<string, ComputedColumn>;
  /**
   * Foreign keys through which the database deletes rows of this collection, or clears a field, when their target is
   * deleted.
   */
  readonly references: readonly Reference[];
  /** For users: fields that every user sees of themselves, whatever the rules. */
  readonly ownProfile: readonly string[];
  /** All foreign keys: the `references`, and those that prevent the deletion of their target. */
  readonly foreignKeys: readonly ForeignKey[];
  /** Set where its rows concern rows of other collections. */
  readonly about?: About;
}

export const storedFields = memoize(({ fields }: CollectionShape): readonly StoredField[] =>
  [...fields.values()].filter(isStored),
);

/** The field that counts a row's updates, of a collection that has one. */
export const versionOf = memoize((collection: CollectionShape): StoredField | undefined =>
  storedFields(collection).find(({ filling }) => filling === 'version'),
);

/** The column of a stored field. The field comes from the same collection's shape, so it has one. */
export function columnOf(collection: StoredCollection, field: string): Column {
  const column = collection.columns.get(field);
  if (!column) throw new Error(`${collection.name} stores no field ${field}`);
  return column;
}

/**
 * For each field that shares its column with others, those others. A column that is the key and also a relation makes
 * two fields of one column; so do TypeORM's `@Column() shop_id` and `@ManyToOne() shop`.
 */
export const sharingFields = memoize(
  ({ columns }: StoredCollection): ReadonlyMap<string, readonly string[]> => {
    const all = [...columns];
    const sharing = all.map(([name, { sql }]): [string, string[]] => [
      name,
      all.flatMap(([other, column]) => (column.sql === sql && other !== name ? [other] : [])),
    ]);
    return new Map(sharing.filter(([, others]) => others.length > 0));
  },
);

/** The field, and the fields that share its column. */
export const fieldsBeside = (collection: StoredCollection, field: string): readonly string[] => [
  field,
  ...(sharingFields(collection).get(field) ?? []),
];

/** Each column once, by its SQL. */
export const columnsBySql = memoize(
  ({ columns }: StoredCollection): ReadonlyMap<string, Column> =>
    new Map([...columns.values()].map((column) => [column.sql, column])),
);

/** The SQL type of a field's values, whether stored or computed. */
export const sqlTypeOf = (collection: StoredCollection, field: string): SqlType =>
  collection.computed?.get(field) ?? columnOf(collection, field);
