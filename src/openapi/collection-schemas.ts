import { type FieldShape, isStored, type ToManyShape, type ToOneShape } from '../engine';
import { inTurns } from '../common/next-turn';
import type { JsonSchema } from '../common/request/describe.decorator';
import { listOf, OBJECT, objectOf, orNull } from '../common/request/json-schema';
import { extraInput } from './extra-input';
import type { Sight, Sights, WrittenField } from './sight';
import { sentValue, shownValue } from './value-schema';

type Schemas = Record<string, JsonSchema>;

/** The names of a collection’s schemas in `components/schemas`, by purpose. No collection has a dot in its name. */
export const schemaName = {
  read: (collection: string) => collection,
  create: (collection: string) => `${collection}.create`,
  update: (collection: string) => `${collection}.update`,
  /** What only the update of one item by its key takes besides, where there is such. */
  updateOne: (collection: string) =>
    Object.keys(extraInput(collection, 'updateOne')).length > 0
      ? `${collection}.update.one`
      : schemaName.update(collection),
  /** Created within the item that this field refers to. */
  createWithin: (collection: string, field: string) => `${collection}.create.within.${field}`,
};

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/**
 * The schemas of every collection with which the caller may do something.
 * @param atOnce how many are described before the event loop is released
 */
export async function collectionSchemas(sights: Sights, atOnce: number): Promise<Schemas> {
  const schemas: Schemas = {};
  await inTurns([...sights.values()], atOnce, (sight) => {
    Object.assign(schemas, schemasOf(sight, sights));
  });
  return schemas;
}

function schemasOf(sight: Sight, sights: Sights): Schemas {
  const { collection, read, create, update } = sight;
  const { name } = collection;
  return {
    ...(read && {
      [schemaName.read(name)]: {
        type: 'object',
        description: 'As many of these fields as `fields` asks for.',
        properties: Object.fromEntries(
          read.flatMap(({ field, masked }) => {
            const schema = shown(field, masked, sights);
            return schema ? [[field.name, schema]] : [];
          }),
        ),
      },
    }),
    ...(create && {
      [schemaName.create(name)]: input(create, { sights, extra: extraInput(name, 'create') }),
    }),
    ...createdWithin(sight, sights),
    ...(update && {
      [schemaName.update(name)]: updateInput(name, sights, extraInput(name, 'update')),
      [schemaName.updateOne(name)]: updateInput(name, sights, {
        ...extraInput(name, 'update'),
        ...extraInput(name, 'updateOne'),
      }),
    }),
  };
}

/** @param extra properties beside the fields that the caller may write */
export function updateInput(
  collection: string,
  sights: Sights,
  extra: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return input(sights.get(collection)?.update ?? [], { sights, extra });
}

/** An item created in a list of its parent refers to the parent, so the field is optional. */
function createdWithin({ collection, create = [] }: Sight, sights: Sights): Schemas {
  const extra = extraInput(collection.name, 'create');
  const links = create.filter(({ field, required }) => field.kind === 'to-one' && required);
  return Object.fromEntries(
    links.map((link) => {
      const fields = create.map((each) => (each === link ? { ...each, required: false } : each));
      const schema = input(fields, { sights, extra });
      return [schemaName.createWithin(collection.name, link.field.name), schema];
    }),
  );
}

interface Surroundings {
  readonly sights: Sights;
  readonly extra: Readonly<Record<string, JsonSchema>>;
}

function input(fields: readonly WrittenField[], { sights, extra }: Surroundings): JsonSchema {
  const required = fields.filter((each) => each.required).map(({ field }) => field.name);
  const properties = fields.map(({ field, filled }): [string, JsonSchema] => [
    field.name,
    sent(field, sights, filled),
  ]);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && Object.keys(extra).length === 0 && { required }),
    properties: { ...extra, ...Object.fromEntries(properties) },
  };
}

/** A relation is answered as a key, or as an item where its fields were asked for. */
function shown(field: FieldShape, masked: boolean, sights: Sights): JsonSchema | undefined {
  if (field.kind === 'column') return shownValue(field, masked);
  const target = sights.get(field.target);
  const isSeen = target?.read !== undefined;
  if (field.kind === 'to-one') {
    const key = shownValue(field, masked);
    const isHidden = isSeen && mayBeAbsent(field, target) && !(field.nullable || masked);
    const one = isSeen ? [refTo(schemaName.read(field.target))] : [];
    return { anyOf: [key, ...one, ...(isHidden ? [{ type: 'null' }] : [])] };
  }
  if (!isSeen) return undefined;
  const list = listOf({ anyOf: [keyOf(target), refTo(schemaName.read(field.target))] });
  return masked ? orNull(list) : list;
}

/** An item is null where the caller does not see it, or where it is deleted. */
const mayBeAbsent = ({ unconstrained }: ToOneShape, { collection, everyRow }: Sight): boolean =>
  unconstrained === true || collection.deletedAt !== undefined || !everyRow;

function keyOf({ collection }: Sight): JsonSchema {
  const key = collection.fields.get(collection.key);
  return key && isStored(key) ? shownValue(key, false) : {};
}

/** A relation is set by a key, or by an object that creates or updates the item. */
function sent(field: FieldShape, sights: Sights, filled = false): JsonSchema {
  if (field.kind === 'column') return sentValue(field, filled);
  const nested = { anyOf: nestedOf(field, sights) };
  if (field.kind === 'to-one') return { anyOf: [sentValue(field, filled), ...nested.anyOf] };
  const keys = sights.get(field.target);
  const one = {
    anyOf: [...(keys ? [keyOf(keys)] : [{ type: ['string', 'integer'] }]), ...nested.anyOf],
  };
  const changes = objectOf({
    'create?': listOf(nested),
    'update?': listOf(nested),
    'delete?': listOf(keys ? keyOf(keys) : {}),
  });
  return { anyOf: [listOf(one), changes] };
}

function nestedOf(relation: ToOneShape | ToManyShape, sights: Sights): JsonSchema[] {
  const { target } = relation;
  const sight = sights.get(target);
  const link = relation.kind === 'to-many' ? relation.foreignKey : undefined;
  const isLinked = sight?.create?.some(({ field, required }) => required && field.name === link);
  const create = isLinked && link !== undefined ? schemaName.createWithin(target, link) : undefined;
  const refs = [
    ...(sight?.create ? [refTo(create ?? schemaName.create(target))] : []),
    ...(sight?.update ? [refTo(schemaName.update(target))] : []),
  ];
  return refs.length > 0 ? refs : [OBJECT];
}
