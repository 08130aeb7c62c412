import { type CollectionShape, isStored } from '../engine';
import type { ItemsOperation, JsonSchema } from '../common/request/describe.decorator';
import { listOf, OBJECT, objectOf } from '../common/request/json-schema';
import { refTo, schemaName } from './collection-schemas';
import { dataAnswer, EMPTY, type OperationParts } from './operation';
import { queryOf } from './parameters';
import type { Sight } from './sight';
import { shownValue } from './value-schema';

const SUMMARIES: Readonly<Record<ItemsOperation, string>> = {
  list: 'List items',
  search: 'List items by a query in the body',
  one: 'Read an item',
  create: 'Create an item, or several',
  updateMany: 'Change items',
  updateOne: 'Change an item',
  deleteMany: 'Delete items',
  deleteOne: 'Delete an item',
  readSingleton: 'Read it',
  updateSingleton: 'Change it',
};

const SEARCH =
  'The same by the method `SEARCH` and a body `{"query": {…}}`, for queries too long for an address; OpenAPI 3.1 has no word for that method.';

/** The right that each operation on items needs. */
export function itemsParts(sight: Sight, operation: ItemsOperation): OperationParts {
  const { collection } = sight;
  const body = bodyOf(sight, operation);
  return {
    summary: SUMMARIES[operation],
    ...(operation === 'list' && { description: SEARCH }),
    parameters: queryOf(operation, collection.deletedAt !== undefined),
    ...(body && { body }),
    responses: responsesOf(sight, operation),
    faults: faultsOf(collection, operation),
  };
}

/** Whether the caller may do this with some row of the collection. */
export function isOpenTo(sight: Sight | undefined, operation: ItemsOperation): boolean {
  switch (operation) {
    case 'list':
    case 'search':
    case 'one':
    case 'readSingleton':
      return sight?.read !== undefined;
    case 'create':
      return sight?.create !== undefined;
    case 'updateMany':
    case 'updateOne':
    case 'updateSingleton':
      return sight?.update !== undefined;
    case 'deleteMany':
    case 'deleteOne':
      return sight?.delete === true;
  }
}

export function keySchema({ fields, key }: CollectionShape): JsonSchema {
  const field = fields.get(key);
  return field && isStored(field) ? shownValue(field, false) : {};
}

function bodyOf({ collection }: Sight, operation: ItemsOperation): JsonSchema | undefined {
  const keys = listOf(keySchema(collection));
  const update = refTo(schemaName.update(collection.name));
  const create = refTo(schemaName.create(collection.name));
  switch (operation) {
    case 'create':
      return { anyOf: [create, listOf(create)] };
    case 'updateOne':
      return refTo(schemaName.updateOne(collection.name));
    case 'updateSingleton':
      return update;
    case 'updateMany':
      return {
        anyOf: [
          objectOf({ keys, data: update }),
          objectOf({ query: OBJECT, data: update }),
          listOf(update),
        ],
      };
    case 'deleteMany':
      return { anyOf: [keys, objectOf({ keys }), objectOf({ query: OBJECT })] };
    default:
      return undefined;
  }
}

/** The writer may have no right to read what was written. */
function responsesOf({ collection, read }: Sight, operation: ItemsOperation): JsonSchema {
  const item = read ? refTo(schemaName.read(collection.name)) : OBJECT;
  switch (operation) {
    case 'list':
    case 'search':
      return { 200: dataAnswer(listOf(item)) };
    case 'one':
    case 'readSingleton':
      return { 200: dataAnswer(item) };
    case 'updateOne':
    case 'updateSingleton':
      return { 200: dataAnswer(item), 204: EMPTY };
    case 'create':
      return { 200: dataAnswer({ anyOf: [item, listOf(item)] }), 204: EMPTY };
    case 'updateMany':
      return { 200: dataAnswer(listOf(item)), 204: EMPTY };
    case 'deleteMany':
    case 'deleteOne':
      return { 204: EMPTY };
  }
}

function faultsOf({ fields }: CollectionShape, operation: ItemsOperation): number[] {
  const all = [...fields.values()];
  const hasVersion = all.some((field) => isStored(field) && field.filling === 'version');
  const isMade = all.some((field) => field.kind === 'column' && field.computed?.by === 'sql');
  const writes = operation.startsWith('update');
  return [...(hasVersion && writes ? [409] : []), ...(isMade ? [422] : [])];
}
