import {
  type Caller,
  type CollectionShape,
  type FieldShape,
  hasField,
  namedFields,
} from '../../engine';
import type { StoredCollection } from '../../repository/registry/stored-collection';
import type { Collections } from '../collections';

/** A collection, with the fields of it that the caller may name when reading. */
export interface Described {
  readonly collection: StoredCollection;
  readonly fields: readonly FieldShape[];
  /** The names of fields that hooks require of a create; none where the caller may not create. */
  readonly required: readonly string[];
}

const NO_FIELDS: readonly string[] = [];

/** The collections that the caller may read anything of, by name. */
export function describedCollections(caller: Caller, collections: Collections): Described[] {
  const { registry } = collections;
  return [...registry.all()]
    .filter(({ name }) => caller.may('read', name))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((shape) => ({
      collection: registry.table(shape.name),
      fields: namedIn(caller, shape),
      required: caller.may('create', shape.name)
        ? collections.requiredOf(caller, shape.name)
        : NO_FIELDS,
    }));
}

function namedIn(caller: Caller, { name, fields }: CollectionShape): FieldShape[] {
  const decision = caller.decide('read', name);
  const named = decision ? namedFields(decision) : new Set<string>();
  return [...fields.values()].filter((field) => hasField(named, field.name));
}
