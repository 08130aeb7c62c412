import type { FieldShape, ToManyShape, ToOneShape } from '../../engine';
import type { CollectionRegistry } from '../../repository/registry/registry';
import type { StoredCollection } from '../../repository/registry/stored-collection';
import type { Described } from './described';

/**
 * A field that leads from one collection to another. Of one-to-many lists the to-one field at their other end tells, by
 * `one_field`; of a many-to-many the list itself, since its value are the items at the far end and not links.
 */
export interface RelationDescription {
  /** Where it leads from. */
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string;
  /** The column that refers: of a many-to-many that of the junction. Nothing where no constraint watches over it. */
  readonly schema: {
    readonly table: string;
    readonly column: string;
    readonly foreign_key_table: string;
    readonly foreign_key_column: string;
    readonly on_delete: string;
  } | null;
  readonly meta: {
    /** The collection of which many items belong to one. */
    readonly many_collection: string;
    /** Its to-one field; a many-to-many has none. */
    readonly many_field: string | null;
    readonly one_collection: string;
    /** The list in the other collection, if there is one. */
    readonly one_field: string | null;
    /** Of a many-to-many: the junction's other column. */
    readonly junction_field: string | null;
    readonly one_collection_field: null;
    readonly one_allowed_collections: null;
    readonly one_deselect_action: 'nullify' | 'delete';
    readonly sort_field: null;
  };
}

/** Those between collections that are described, by fields that are. */
export function describeRelations(
  described: readonly Described[],
  registry: CollectionRegistry,
): RelationDescription[] {
  const seen = new Map(described.map((each) => [each.collection.name, each]));
  return described.flatMap(({ collection, fields }) =>
    fields.flatMap((field): RelationDescription[] => {
      const other = field.kind === 'column' ? undefined : seen.get(field.target);
      if (!other) return [];
      if (field.kind === 'to-one') return [toOne(collection, field, other)];
      return field.kind === 'to-many' && field.through
        ? [manyToMany(collection, field, field.through, seen, registry)]
        : [];
    }),
  );
}

const NONE = {
  one_collection_field: null,
  one_allowed_collections: null,
  sort_field: null,
} as const;

function toOne(
  { name, foreignKeys, columns }: StoredCollection,
  field: ToOneShape,
  { collection: target, fields }: Described,
): RelationDescription {
  const isBack = (each: FieldShape): boolean =>
    each.kind === 'to-many' && each.target === name && each.foreignKey === field.name;
  const constraint = foreignKeys.find((key) => key.sql === columns.get(field.name)?.sql);
  return {
    collection: name,
    field: field.name,
    related_collection: target.name,
    schema: constraint
      ? {
          table: name,
          column: field.name,
          foreign_key_table: target.name,
          foreign_key_column: target.key,
          on_delete: constraint.onDelete,
        }
      : null,
    meta: {
      many_collection: name,
      many_field: field.name,
      one_collection: target.name,
      one_field: fields.find(isBack)?.name ?? null,
      junction_field: null,
      one_deselect_action: field.nullable ? 'nullify' : 'delete',
      ...NONE,
    },
  };
}

function manyToMany(
  { name, key }: StoredCollection,
  { name: list, target }: ToManyShape,
  { collection, near, far }: NonNullable<ToManyShape['through']>,
  seen: ReadonlyMap<string, Described>,
  registry: CollectionRegistry,
): RelationDescription {
  // A junction that is a collection of its own is told of to whoever sees it.
  const isTold = !registry.get(collection) || seen.has(collection);
  return {
    collection: name,
    field: list,
    related_collection: target,
    schema: isTold
      ? {
          table: collection.replace(/^junction /, '').replaceAll('"', ''),
          column: near,
          foreign_key_table: name,
          foreign_key_column: key,
          on_delete: 'CASCADE',
        }
      : null,
    meta: {
      many_collection: target,
      many_field: null,
      one_collection: name,
      one_field: list,
      junction_field: isTold ? far : null,
      one_deselect_action: 'nullify',
      ...NONE,
    },
  };
}
