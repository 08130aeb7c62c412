import type { ApolloPlugin, ResolvedRequest } from '../apollo-plugin';
import type { RequestedOperation, Introspections } from './introspections';

/** Refuses introspection that costs too much, and answers the rest from memory. */
export const introspectionPlugin = (introspections: Introspections): ApolloPlugin => ({
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: (context) => {
        const operation = operationOf(context);
        if (operation) introspections.refuseCostly(operation);
        return Promise.resolve();
      },
      responseForOperation: (context) => {
        const operation = operationOf(context);
        const data = operation && introspections.answer(operation);
        const { http } = context.response;
        return Promise.resolve(
          data ? { http, body: { kind: 'single', singleResult: { data } } } : null,
        );
      },
    }),
});

function operationOf(context: ResolvedRequest): RequestedOperation | undefined {
  const { schema, document, operation, request } = context;
  return operation && { schema, document, operation, variables: request.variables ?? {} };
}
