import {
  type FieldNode,
  type GraphQLObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from '../fragments';

/**
 * The fields requested of an object, by their names in the answer, with fragments expanded.
 * @returns undefined where directives may omit one, or two have the same name
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
    // On a plain object this name would set the prototype.
    return key === '__proto__' ? undefined : [[key, node]];
  }
  const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
  if (!fragment || fragment.directives?.length) return undefined;
  // Another type can only be an interface, which the object may not implement.
  const condition = fragment.typeCondition?.name.value ?? type.name;
  return condition === type.name
    ? plainSelections(fragment.selectionSet, type, fragments)
    : undefined;
}
