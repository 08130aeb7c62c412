import { type FieldNode, type GraphQLField, Kind, type SelectionSetNode } from 'graphql';
import { type Fragments, fragmentsOf } from './fragments';
import { derivedFromOperation } from './derived-from-operation';

/** A field of `Query` or `Mutation` in a document. */
export interface RootField {
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
}

/** What an operation requests, whether `@skip` or `@include` omits it or not; `__typename` and the like are left out. */
export const rootFields = derivedFromOperation(
  ({ operation, document, schema }): readonly RootField[] => {
    const definitions = schema.getRootType(operation.operation)?.getFields() ?? {};
    return mentionedFields(operation.selectionSet, fragmentsOf(document)).flatMap((node) => {
      const definition = definitions[node.name.value];
      return definition ? [{ node, definition }] : [];
    });
  },
);

/**
 * The fields of the first level.
 * @param opened the fragments that were expanded: each is, once
 */
export function mentionedFields(
  set: SelectionSetNode,
  fragments: Fragments,
  opened = new Set<string>(),
): FieldNode[] {
  return set.selections.flatMap((node): FieldNode[] => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT)
      return mentionedFields(node.selectionSet, fragments, opened);
    const fragment = fragments.get(node.name.value);
    if (!fragment || opened.has(node.name.value)) return [];
    opened.add(node.name.value);
    return mentionedFields(fragment.selectionSet, fragments, opened);
  });
}
