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

type Measure = (value: unknown, size: AnswerSize) => void;

/**
 * The size that a resolver's answer will have, before it is assembled: a value with two response names counts twice,
 * though it was read once.
 */
export function measureAnswer(answer: unknown, info: GraphQLResolveInfo): AnswerSize {
  const size = { values: 0, characters: 0 };
  const type = getNamedType(info.returnType);
  if (isObjectType(type)) measuring(type, info.fieldNodes, info)(answer, size);
  else measureLeaf(answer, 1, size);
  return size;
}

/** How each object of a type is measured. */
class MeasuredParts {
  /** The object itself, and fields that count the same for each: type names, fields with their own resolver. */
  same = 1;
  /** The number of response names by field. */
  readonly leaves = new Map<string, number>();
  readonly below: (readonly [from: string, measure: Measure])[] = [];
}

function measuring(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  context: DocumentContext,
): Measure {
  const parts = new MeasuredParts();
  for (const [key, found] of collectFields(selectionSetsOf(nodes), context)) {
    const field = type.getFields()[found[0]?.name.value ?? ''];
    if (field) addField(parts, { key, field, found }, context);
    else parts.same += 1;
  }
  const measure: Measure = (value, size) => {
    if (Array.isArray(value)) {
      size.values += 1;
      for (const each of value) measure(each, size);
    } else measureParts(parts, value, size);
  };
  return measure;
}

interface RequestedField {
  /** The name in the answer. */
  readonly key: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly found: readonly FieldNode[];
}

function addField(
  parts: MeasuredParts,
  { key, field, found }: RequestedField,
  context: DocumentContext,
): void {
  const target = getNamedType(field.type);
  if (functionsField(field) !== undefined)
    parts.same += 1 + collectFields(selectionSetsOf(found), context).size;
  else if (isObjectType(target) && isRelation(field))
    parts.below.push([relationKey(key), measuring(target, found, context)]);
  else if (field.resolve) parts.same += 1;
  else if (isObjectType(target)) parts.below.push([field.name, measuring(target, found, context)]);
  else parts.leaves.set(field.name, (parts.leaves.get(field.name) ?? 0) + 1);
}

function measureParts(
  { same, leaves, below }: MeasuredParts,
  value: unknown,
  size: AnswerSize,
): void {
  if (typeof value !== 'object' || value === null) {
    size.values += 1;
    return;
  }
  size.values += same;
  const members = value as Readonly<Record<string, unknown>>;
  for (const [from, names] of leaves) measureLeaf(members[from], names, size);
  for (const [from, measure] of below) measure(members[from], size);
}

/** Everything inside JSON counts, until it is too much. */
function measureLeaf(value: unknown, names: number, size: AnswerSize): void {
  size.values += names;
  if (typeof value === 'string') size.characters += names * value.length;
  if (typeof value !== 'object' || value === null) return;
  for (const name of Object.keys(value)) {
    if (size.values > GRAPHQL_LIMITS.answer) return;
    if (!Array.isArray(value)) size.characters += names * name.length;
    measureLeaf((value as Readonly<Record<string, unknown>>)[name], names, size);
  }
}
