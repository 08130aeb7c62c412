import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fragments, fragmentsOf } from './fragments';

/** A field of `Query` or `Mutation` as a document mentions it. */
export interface RootField {
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
}

/** Of a valid document, which is kept and comes again. */
const known = new WeakMap<OperationDefinitionNode, readonly RootField[]>();

/** What an operation asks for, whether `@skip` or `@include` leaves it out or not; `__typename` and the like are not told. */
export function rootFields(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  schema: GraphQLSchema,
): readonly RootField[] {
  const found = known.get(operation);
  if (found) return found;
  const definitions = schema.getRootType(operation.operation)?.getFields() ?? {};
  const fields = mentioned(operation.selectionSet, fragmentsOf(document)).flatMap((node) => {
    const definition = definitions[node.name.value];
    return definition ? [{ node, definition }] : [];
  });
  known.set(operation, fields);
  return fields;
}

/** @param opened the fragments that were looked into: each is, once */
function mentioned(
  set: SelectionSetNode,
  fragments: Fragments,
  opened = new Set<string>(),
): FieldNode[] {
  return set.selections.flatMap((node): FieldNode[] => {
    if (node.kind === Kind.FIELD) return [node];
    if (node.kind === Kind.INLINE_FRAGMENT) return mentioned(node.selectionSet, fragments, opened);
    const fragment = fragments.get(node.name.value);
    if (!fragment || opened.has(node.name.value)) return [];
    opened.add(node.name.value);
    return mentioned(fragment.selectionSet, fragments, opened);
  });
}
