import {
  type FieldNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** What is needed to expand the fragments and evaluate the directives of a document. */
export type DocumentContext = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

export const selectionSetsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

/** Field nodes by their response names, with fragments expanded, respecting `@skip` and `@include`. */
export function collectFields(
  sets: readonly SelectionSetNode[],
  context: DocumentContext,
  found = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const node of sets.flatMap((set) => set.selections)) {
    if (isLeftOut(node, context.variableValues)) continue;
    if (node.kind === 'Field') {
      const key = node.alias?.value ?? node.name.value;
      found.set(key, [...(found.get(key) ?? []), node]);
      continue;
    }
    const fragment = node.kind === 'InlineFragment' ? node : context.fragments[node.name.value];
    if (fragment) collectFields([fragment.selectionSet], context, found);
  }
  return found;
}

/** Whether `@skip` or `@include` excludes the node. */
function isLeftOut(node: SelectionNode, variables: DocumentContext['variableValues']): boolean {
  if (!node.directives?.length) return false;
  const skipped = getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'];
  const included = getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'];
  return skipped === true || included === false;
}
