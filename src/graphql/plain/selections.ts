import {
  type FieldNode,
  type GraphQLObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from '../fragments';

/**
 * The fields that are asked of an object, by the names they are answered under, fragments opened.
 * @returns undefined where directives may leave one out, or two are answered under one name
 */
export function plainSelections(
  set: SelectionSetNode,
  type: GraphQLObjectType,
  fragments: Fragments,
): readonly (readonly [key: string, node: FieldNode])[] | undefined {
  const nodes = set.selections.map((node) => opened(node, type, fragments));
  if (!nodes.every((each) => each !== undefined)) return undefined;
  const fields = nodes.flat();
  return new Set(fields.map(([key]) => key)).size === fields.length ? fields : undefined;
}

function opened(
  node: SelectionNode,
  type: GraphQLObjectType,
  fragments: Fragments,
): readonly (readonly [string, FieldNode])[] | undefined {
  if (node.directives && node.directives.length > 0) return undefined;
  if (node.kind === Kind.FIELD) {
    const key = node.alias?.value ?? node.name.value;
    // To a plain object that is no property.
    return key === '__proto__' ? undefined : [[key, node]];
  }
  const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
  if (!fragment || fragment.directives?.length) return undefined;
  // Of another type only an interface may be, which the object need not be.
  const condition = fragment.typeCondition?.name.value ?? type.name;
  return condition === type.name
    ? plainSelections(fragment.selectionSet, type, fragments)
    : undefined;
}
