import type { CollectionShape } from '../engine';
import { MAX_ITEMS } from '../repository';
import type { ItemsOperation, JsonSchema } from '../common/request/describe.decorator';
import { exactly, listOf, OBJECT } from '../common/request/json-schema';
import { updateInput } from './collection-schemas';
import { extraInput } from './extra-input';
import { dataAnswer, EMPTY, type OperationParts } from './operation';
import { COMMENT_OPTIONAL, COMMENT_REQUIRED, queryOf } from './parameters';
import { mayHold, relatedFaults } from './related-faults';
import { keySchema, refTo, schemaName } from './schema-refs';
import type { CollectionRights, Rights } from './collection-rights';

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
  'A query that is too long for a URL can be sent with the method `SEARCH` and a body `{"query": {…}}`; OpenAPI 3.1 cannot describe that method.';

/** The description of an operation on items, as far as the caller may do it. */
export function itemsParts(
  granted: CollectionRights,
  operation: ItemsOperation,
  rights: Rights,
): OperationParts {
  const { collection } = granted;
  const body = bodyOf(granted, operation, rights);
  return {
    summary: SUMMARIES[operation],
    ...(operation === 'list' && { description: SEARCH }),
    parameters: [...queryOf(operation, collection), ...commentOf(granted, operation)],
    ...(body && { body }),
    responses: responsesOf(granted, operation),
    faults: faultsOf(granted, operation, rights),
  };
}

/** Whether the caller may do this with some row of the collection. */
export function isOpenTo(granted: CollectionRights, operation: ItemsOperation): boolean {
  switch (operation) {
    case 'list':
    case 'search':
    case 'one':
    case 'readSingleton':
      return granted.read !== undefined;
    case 'create':
      return granted.create !== undefined;
    case 'updateMany':
    case 'updateOne':
    case 'updateSingleton':
      return granted.update !== undefined;
    case 'deleteMany':
    case 'deleteOne':
      return granted.delete === true;
  }
}

/** The header that a write takes. */
function commentOf({ explained }: CollectionRights, operation: ItemsOperation): JsonSchema[] {
  const action = (['create', 'update', 'delete'] as const).find((each) =>
    operation.startsWith(each),
  );
  if (action === undefined) return [];
  return [explained?.includes(action) === true ? COMMENT_REQUIRED : COMMENT_OPTIONAL];
}

/** A body holds a bounded list of items, or of keys. */
const several = (items: JsonSchema): JsonSchema => ({ ...listOf(items), maxItems: MAX_ITEMS });

function bodyOf(
  { collection }: CollectionRights,
  operation: ItemsOperation,
  rights: Rights,
): JsonSchema | undefined {
  const { name } = collection;
  switch (operation) {
    case 'create':
      return { anyOf: [refTo(schemaName.create(name)), several(refTo(schemaName.create(name)))] };
    case 'updateOne':
      return refTo(schemaName.updateOne(name));
    case 'updateSingleton':
      return refTo(schemaName.update(name));
    case 'updateMany':
      return { anyOf: updatesOf(collection, rights) };
    case 'deleteMany': {
      const keys = several(keySchema(collection));
      return { anyOf: [keys, exactly({ keys }), exactly({ query: SELECTION })] };
    }
    default:
      return undefined;
  }
}

const SELECTION = refTo(schemaName.selection);

/** Updates of several items: all get the same values, or each its own. */
function updatesOf(collection: CollectionShape, rights: Rights): JsonSchema[] {
  const { key, name } = collection;
  const keys = several(keySchema(collection));
  const data = refTo(schemaName.update(name));
  const values = updateInput(name, rights, extraInput(name, 'update'));
  return [
    exactly({ keys, data }),
    exactly({ query: SELECTION, data }),
    {
      ...values,
      required: [key],
      properties: { ...(values['properties'] as object), [key]: keys },
    },
    several({ allOf: [data, { required: [key] }] }),
  ];
}

/** The writer may have no right to read what was written. */
function responsesOf(
  { collection, read }: CollectionRights,
  operation: ItemsOperation,
): JsonSchema {
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

function faultsOf(granted: CollectionRights, operation: ItemsOperation, rights: Rights): number[] {
  const { versions, computed } = relatedFaults(rights);
  const { name } = granted.collection;
  const conflicts =
    operation === 'create'
      ? mayHold(granted, versions)
      : operation.startsWith('update') && versions.has(name);
  return [...(conflicts ? [409] : []), ...(computed.has(name) ? [422] : [])];
}
