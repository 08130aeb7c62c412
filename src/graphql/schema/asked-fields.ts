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
export type Asking = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

export const setsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

/** Field nodes by their response names, with fragments expanded, respecting `@skip` and `@include`. */
export function collect(
  sets: readonly SelectionSetNode[],
  asking: Asking,
  found = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const node of sets.flatMap((set) => set.selections)) {
    if (isLeftOut(node, asking.variableValues)) continue;
    if (node.kind === 'Field') {
      const key = node.alias?.value ?? node.name.value;
      found.set(key, [...(found.get(key) ?? []), node]);
      continue;
    }
    const fragment = node.kind === 'InlineFragment' ? node : asking.fragments[node.name.value];
    if (fragment) collect([fragment.selectionSet], asking, found);
  }
  return found;
}

/** Whether `@skip` or `@include` excludes the node. */
function isLeftOut(node: SelectionNode, variables: Asking['variableValues']): boolean {
  if (!node.directives?.length) return false;
  const skipped = getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'];
  const included = getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'];
  return skipped === true || included === false;
}
