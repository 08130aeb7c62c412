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
  derive: (request: ValidOperation) => T,
): (request: ValidOperation) => T {
  const last = new WeakMap<DocumentNode, { readonly of: OperationDefinitionNode; value: T }>();
  return (request) => {
    const { document, operation } = request;
    const cached = last.get(document);
    if (cached?.of === operation) return cached.value;
    const value = derive(request);
    last.set(document, { of: operation, value });
    return value;
  };
}
