import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

/** An operation of a valid document, which may be cached and reused. */
export interface ValidOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/**
 * Derives a value from an operation, and caches it with the document, for the last used operation only. A document of a
 * few kilobytes may hold two hundred operations, each with all that its fragments contain.
 */
export function derivedFromOperation<T>(
  derive: (asked: ValidOperation) => T,
): (asked: ValidOperation) => T {
  const last = new WeakMap<DocumentNode, { readonly of: OperationDefinitionNode; value: T }>();
  return (request) => {
    const { document, operation } = request;
    const known = last.get(document);
    if (known?.of === operation) return known.value;
    const value = derive(request);
    last.set(document, { of: operation, value });
    return value;
  };
}
