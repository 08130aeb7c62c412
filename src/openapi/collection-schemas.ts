import type { ToOneShape } from '../engine';
import { inTurns } from '../common/next-turn';
import type { JsonSchema } from '../common/request/describe.decorator';
import { listOf, orNull } from '../common/request/json-schema';
import { extraInput, isCoveredOtherwise } from './extra-input';
import { hookedInput } from './hooked-input';
import { sentSchema } from './nested-input';
import { type ListLimits, selectionSchema } from './parameters';
import { keySchema, refTo, schemaName } from './schema-refs';
import type { ReadableField, CollectionRights, Rights, WritableField } from './collection-rights';
import { maskedValue, shownValue } from './value-schema';

type Schemas = Record<string, JsonSchema>;

/**
 * The schemas of every collection with which the caller may do something.
 * @param perTurn how many are described before the event loop is released
 */
export async function collectionSchemas(
  rights: Rights,
  limits: ListLimits,
  perTurn: number,
): Promise<Schemas> {
  if (rights.size === 0) return {};
  const schemas: Schemas = { [schemaName.selection]: selectionSchema(limits) };
  await inTurns([...rights.values()], perTurn, (granted) => {
    Object.assign(schemas, schemasOf(granted, rights));
  });
  return schemas;
}

function schemasOf(granted: CollectionRights, rights: Rights): Schemas {
  const { collection, read, create, update } = granted;
  const { name } = collection;
  return {
    ...(read && { [schemaName.read(name)]: readSchema(read, rights) }),
    ...(create && {
      [schemaName.create(name)]: createInput(name, create, rights),
    }),
    ...createdWithin(granted, rights),
    ...(update && {
      [schemaName.update(name)]: updateInput(name, rights, extraInput(name, 'update')),
      [schemaName.updateOne(name)]: updateInput(name, rights, {
        ...extraInput(name, 'update'),
        ...extraInput(name, 'updateOne'),
      }),
    }),
  };
}

/** @param related schemas by field of related items that are shown though the caller may not read them */
export function readSchema(
  fields: readonly ReadableField[],
  rights: Rights,
  related: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    description: 'Those of these fields that `fields` asks for.',
    properties: Object.fromEntries(
      fields.flatMap((readable) => {
        const { name } = readable.field;
        const schema = shown(readable, rights, related[name]);
        return schema ? [[name, schema]] : [];
      }),
    ),
  };
}

/** @param extra properties beside the fields that the caller may write */
export function updateInput(
  collection: string,
  rights: Rights,
  extra: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const fields = rights.get(collection)?.update ?? [];
  return input(collection, fields, { action: 'update', rights, extra });
}

const createInput = (
  collection: string,
  fields: readonly WritableField[],
  rights: Rights,
): JsonSchema =>
  input(collection, fields, { action: 'create', rights, extra: extraInput(collection, 'create') });

/** An item created in a list of its parent refers to the parent, so the field is optional. */
function createdWithin({ collection, create = [] }: CollectionRights, rights: Rights): Schemas {
  const links = create.filter(({ field, required }) => field.kind === 'to-one' && required);
  return Object.fromEntries(
    links.map((link) => {
      const fields = create.map((each) => (each === link ? { ...each, required: false } : each));
      const schema = createInput(collection.name, fields, rights);
      return [schemaName.createWithin(collection.name, link.field.name), schema];
    }),
  );
}

interface InputOptions {
  readonly action: 'create' | 'update';
  readonly rights: Rights;
  readonly extra: Readonly<Record<string, JsonSchema>>;
}

function input(
  collection: string,
  fields: readonly WritableField[],
  { action, rights, extra }: InputOptions,
): JsonSchema {
  const required = fields
    .filter((each) => each.required && !isCoveredOtherwise(collection, each.field.name))
    .map(({ field }) => field.name);
  const properties = fields.flatMap((writable): [string, JsonSchema][] => {
    const { field } = writable;
    const hooked = hookedInput(collection, action, field.name);
    return hooked === null ? [] : [[field.name, hooked ?? sentSchema(field, rights, writable)]];
  });
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: { ...Object.fromEntries(properties), ...extra },
  };
}

/** A relation is answered as a key, or as an item where its fields were asked for. */
function shown(
  { field, masked }: ReadableField,
  rights: Rights,
  related?: JsonSchema,
): JsonSchema | undefined {
  const valueSchema = masked ? maskedValue : shownValue;
  if (field.kind === 'column') return valueSchema(field);
  const target = rights.get(field.target);
  const isSeen = target?.read !== undefined;
  if (field.kind === 'to-one') {
    const key = valueSchema(field);
    const isHidden = isSeen && mayBeAbsent(field, target) && !(field.nullable || masked);
    const item = isSeen ? refTo(schemaName.read(field.target)) : related;
    const one = item ? [item] : [];
    return { anyOf: [key, ...one, ...(isHidden ? [{ type: 'null' }] : [])] };
  }
  if (!isSeen) return undefined;
  const list = listOf({
    anyOf: [keySchema(target.collection), refTo(schemaName.read(field.target))],
  });
  return masked ? orNull(list) : list;
}

/** An item is null where the caller does not see it, or where it is deleted. */
const mayBeAbsent = (
  { unconstrained }: ToOneShape,
  { collection, everyRow }: CollectionRights,
): boolean => unconstrained === true || collection.deletedAt !== undefined || !everyRow;
