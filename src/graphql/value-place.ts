import { type ASTNode, type GraphQLError, Kind, parse, visit } from 'graphql';
import { GRAPHQL_LIMITS } from './limits';

/**
 * Where the document has the value that an error is about, by the names of the document itself: `filter.title._eq`,
 * `sort[1]`, `$n` for the default of a variable.
 * @returns undefined for a value elsewhere
 */
export function valuePlace({ nodes, source }: GraphQLError): string | undefined {
  const at = nodes?.[0]?.loc;
  if (!at || !source) return undefined;
  const open: ASTNode[] = [];
  let found: string | undefined;
  const document = parse(source, { maxTokens: GRAPHQL_LIMITS.tokens });
  visit(document, {
    enter(node) {
      open.push(node);
      // The outermost node at this place is the value: a list or an object may begin with another node.
      if (node.loc?.start !== at.start || node.loc.end !== at.end) return undefined;
      found ??= written(open);
      return undefined;
    },
    leave() {
      open.pop();
    },
  });
  return found;
}

/** The path from the argument, or the variable, on. */
function written(open: readonly ASTNode[]): string | undefined {
  const from = open.findLastIndex(
    ({ kind }) => kind === Kind.ARGUMENT || kind === Kind.VARIABLE_DEFINITION,
  );
  if (from === -1) return undefined;
  return open.slice(from).reduce((path, node, index, all) => {
    const above = all[index - 1];
    if (node.kind === Kind.ARGUMENT) return node.name.value;
    if (node.kind === Kind.VARIABLE_DEFINITION) return `$${node.variable.name.value}`;
    if (node.kind === Kind.OBJECT_FIELD) return `${path}.${node.name.value}`;
    if (above?.kind === Kind.LIST)
      return `${path}[${(above.values as readonly ASTNode[]).indexOf(node)}]`;
    return path;
  }, '');
}
