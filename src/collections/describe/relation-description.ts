import type { FieldShape, JunctionShape, ToManyShape, ToOneShape } from '../../engine';
import type { CollectionRegistry } from '../../repository/registry/registry';
import type { StoredCollection } from '../../repository/registry/stored-collection';
import type { Described } from './described';

/**
 * A field that leads from one collection to another. A one-to-many list is described by the to-one field at its other
 * end, as `one_field`; a many-to-many by the list itself, since its values are the items at the far end and not links.
 */
export interface RelationDescription {
  /** Where it leads from. */
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string;
  /** The referring column: for a many-to-many, the junction's. Null without a constraint. */
  readonly schema: {
    readonly table: string;
    readonly column: string;
    readonly foreign_key_table: string;
    readonly foreign_key_column: string;
    readonly on_delete: string;
  } | null;
  readonly meta: {
    /** The collection whose items belong to one of the other. */
    readonly many_collection: string;
    /** Its to-one field; null for a many-to-many. */
    readonly many_field: string | null;
    readonly one_collection: string;
    /** The list in the other collection, if it has one. */
    readonly one_field: string | null;
    /** For a many-to-many: the junction's other column. */
    readonly junction_field: string | null;
    readonly one_collection_field: null;
    readonly one_allowed_collections: null;
    readonly one_deselect_action: 'nullify' | 'delete';
    readonly sort_field: null;
  };
}

/** The relations between described collections, through described fields. */
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
  { collection, foreignKey, targetForeignKey }: JunctionShape,
  seen: ReadonlyMap<string, Described>,
  registry: CollectionRegistry,
): RelationDescription {
  // A junction that is a collection of its own is shown only to callers who see it.
  const mayKnow = !registry.get(collection) || seen.has(collection);
  return {
    collection: name,
    field: list,
    related_collection: target,
    schema: mayKnow
      ? {
          table: collection.replace(/^junction /, '').replaceAll('"', ''),
          column: foreignKey,
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
      junction_field: mayKnow ? targetForeignKey : null,
      one_deselect_action: 'nullify',
      ...NONE,
    },
  };
}
