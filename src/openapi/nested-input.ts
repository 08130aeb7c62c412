import type { FieldShape, ToManyShape, ToOneShape } from '../engine';
import type { JsonSchema } from '../common/request/describe.decorator';
import { exactly, listOf, objectOf } from '../common/request/json-schema';
import { keySchema, refTo, schemaName } from './schema-refs';
import type { CollectionRights, Rights } from './collection-rights';
import { type InputDemands, sentValue } from './value-schema';

/** The schema of what is sent for a field. A relation is set by a key, or by an object that creates or updates the item. */
export function sentSchema(field: FieldShape, rights: Rights, demands: InputDemands): JsonSchema {
  if (field.kind === 'column') return sentValue(field, demands);
  const target = rights.get(field.target);
  const members = [...created(field, target), ...named(target)];
  if (field.kind === 'to-one') return { anyOf: [sentValue(field, demands), ...members] };
  const key = target ? keySchema(target.collection) : ANY_KEY;
  const rows = junctionRows(field, rights);
  const member = { anyOf: [key, ...members, ...rows] };
  const changes = exactly({
    'create?': listOf({ anyOf: [key, ...created(field, target), ...rows] }),
    'update?': listOf(member),
    'delete?': listOf(key),
  });
  return { anyOf: [listOf(member), changes] };
}

const ANY_KEY: JsonSchema = { type: ['string', 'integer'] };

/** A new item. */
function created(
  relation: ToOneShape | ToManyShape,
  target: CollectionRights | undefined,
): JsonSchema[] {
  if (!target?.create) return [];
  return [createdIn(target, relation.kind === 'to-many' ? relation.foreignKey : undefined)];
}

/** @param link the field that refers to the item within which it is created */
function createdIn(
  { collection, create = [] }: CollectionRights,
  link: string | undefined,
): JsonSchema {
  const isLinked = create.some(({ field, required }) => required && field.name === link);
  return isLinked && link !== undefined
    ? refTo(schemaName.createWithin(collection.name, link))
    : refTo(schemaName.create(collection.name));
}

/** An existing item by its key, possibly with changes to it. */
function named(target: CollectionRights | undefined): JsonSchema[] {
  if (!target) return [];
  const { key, name } = target.collection;
  if (target.update) return [{ allOf: [refTo(schemaName.update(name)), { required: [key] }] }];
  return [exactly({ [key]: keySchema(target.collection) })];
}

/** Rows of the junction itself: `{policy: id}` for a list of policies. */
function junctionRows({ through, target }: ToManyShape, rights: Rights): JsonSchema[] {
  const junction = rights.get(through?.collection ?? '');
  if (
    !through ||
    !junction?.create ||
    rights.get(target)?.collection.fields.has(through.targetForeignKey)
  ) {
    return [];
  }
  return [
    {
      allOf: [
        createdIn(junction, through.foreignKey),
        objectOf({ [through.targetForeignKey]: {} }),
      ],
    },
  ];
}
