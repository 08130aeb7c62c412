import type { ApolloPlugin, ResolvedRequest } from '../apollo-plugin';
import type { AskedOperation, Introspections } from './introspections';

/** Refuses introspection that costs too much, and answers the rest from memory. */
export const introspectionPlugin = (introspections: Introspections): ApolloPlugin => ({
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: (asked) => {
        const operation = operationOf(asked);
        if (operation) introspections.refuseCostly(operation);
        return Promise.resolve();
      },
      responseForOperation: (asked) => {
        const operation = operationOf(asked);
        const data = operation && introspections.answer(operation);
        const { http } = asked.response;
        return Promise.resolve(
          data ? { http, body: { kind: 'single', singleResult: { data } } } : null,
        );
      },
    }),
});

function operationOf(asked: ResolvedRequest): AskedOperation | undefined {
  const { schema, document, operation, request } = asked;
  return operation && { schema, document, operation, variables: request.variables ?? {} };
}
