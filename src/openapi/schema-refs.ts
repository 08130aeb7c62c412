import { type CollectionShape, isStored } from '../engine';
import type { JsonSchema } from '../common/request/describe.decorator';
import { extraInput } from './extra-input';
import { shownValue } from './value-schema';

/** The names of a collection’s schemas in `components/schemas`, by purpose. No collection has a dot in its name. */
export const schemaName = {
  read: (collection: string) => collection,
  create: (collection: string) => `${collection}.create`,
  update: (collection: string) => `${collection}.update`,
  /** Additional properties of an update of one item by its key, if there are any. */
  updateOne: (collection: string) =>
    Object.keys(extraInput(collection, 'updateOne')).length > 0
      ? `${collection}.update.one`
      : schemaName.update(collection),
  /** Created within the item that this field refers to. */
  createWithin: (collection: string, field: string) => `${collection}.create.within.${field}`,
  /** Which items of a collection a write is for. */
  selection: 'items.selection',
};

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export function keySchema({ fields, key }: CollectionShape): JsonSchema {
  const field = fields.get(key);
  return field && isStored(field) ? shownValue(field) : {};
}
