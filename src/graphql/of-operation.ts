import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';

/** An operation of a document that was found valid, and may be kept and come again. */
export interface ValidOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/**
 * Derives something from an operation, and keeps it with the document: that of the operation which was asked for last. A
 * document of a few kilobytes may hold two hundred of them, each of which asks for all that its fragments ask for.
 */
export function ofOperation<T>(derive: (asked: ValidOperation) => T): (asked: ValidOperation) => T {
  const last = new WeakMap<DocumentNode, { readonly of: OperationDefinitionNode; value: T }>();
  return (asked) => {
    const { document, operation } = asked;
    const known = last.get(document);
    if (known?.of === operation) return known.value;
    const value = derive(asked);
    last.set(document, { of: operation, value });
    return value;
  };
}
