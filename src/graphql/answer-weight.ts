import {
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';
import { GRAPHQL_LIMITS } from './limits';
import { type DocumentContext, collectFields, selectionSetsOf } from './schema/collect-fields';
import { functionsField } from './schema/function-types';
import { isRelation, relationKey } from './schema/relations';

/** The size of an answer: its objects, lists and values, and the characters of its texts. */
export interface AnswerSize {
  values: number;
  characters: number;
}

type Weigh = (value: unknown, weight: AnswerSize) => void;

/**
 * The size that a resolver's answer will have, before it is assembled: a value with two response names counts twice,
 * though it was read once.
 */
export function weightOf(answer: unknown, info: GraphQLResolveInfo): AnswerSize {
  const weight = { values: 0, characters: 0 };
  const type = getNamedType(info.returnType);
  if (isObjectType(type)) weighing(type, info.fieldNodes, info)(answer, weight);
  else weighLeaf(answer, 1, weight);
  return weight;
}

/** How each object of a type is weighed. */
class Parts {
  /** The object itself, and fields that count the same for each: type names, fields with their own resolver. */
  same = 1;
  /** The number of response names by field. */
  readonly leaves = new Map<string, number>();
  readonly below: (readonly [from: string, weigh: Weigh])[] = [];
}

function weighing(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  context: DocumentContext,
): Weigh {
  const parts = new Parts();
  for (const [key, found] of collectFields(selectionSetsOf(nodes), context)) {
    const field = type.getFields()[found[0]?.name.value ?? ''];
    if (field) addField(parts, { key, field, found }, context);
    else parts.same += 1;
  }
  const weigh: Weigh = (value, weight) => {
    if (Array.isArray(value)) {
      weight.values += 1;
      for (const each of value) weigh(each, weight);
    } else weighParts(parts, value, weight);
  };
  return weigh;
}

interface RequestedField {
  /** The name in the answer. */
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly found: readonly FieldNode[];
}

function addField(
  parts: Parts,
  { key, field, found }: RequestedField,
  context: DocumentContext,
): void {
  const target = getNamedType(field.type);
  if (functionsField(field) !== undefined)
    parts.same += 1 + collectFields(selectionSetsOf(found), context).size;
  else if (isObjectType(target) && isRelation(field))
    parts.below.push([relationKey(key), weighing(target, found, context)]);
  else if (field.resolve) parts.same += 1;
  else if (isObjectType(target)) parts.below.push([field.name, weighing(target, found, context)]);
  else parts.leaves.set(field.name, (parts.leaves.get(field.name) ?? 0) + 1);
}

function weighParts({ same, leaves, below }: Parts, value: unknown, weight: AnswerSize): void {
  if (typeof value !== 'object' || value === null) {
    weight.values += 1;
    return;
  }
  weight.values += same;
  const members = value as Readonly<Record<string, unknown>>;
  for (const [from, names] of leaves) weighLeaf(members[from], names, weight);
  for (const [from, weigh] of below) weigh(members[from], weight);
}

/** Everything inside JSON counts, until it is too much. */
function weighLeaf(value: unknown, names: number, weight: AnswerSize): void {
  weight.values += names;
  if (typeof value === 'string') weight.characters += names * value.length;
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    if (weight.values > GRAPHQL_LIMITS.answer) return;
    if (!Array.isArray(value)) weight.characters += names * name.length;
    weighLeaf((value as Readonly<Record<string, unknown>>)[name], names, weight);
  }
}
