import type { ApolloPlugin, ResolvedRequest } from '../apollo-plugin';
import type { GraphqlContext } from '../graphql-context';
import { answerPlainly } from './plain-query';

/** Answers plain queries instead of graphql-js. */
export const plainQueries: ApolloPlugin = {
  requestDidStart: () =>
    Promise.resolve({
      responseForOperation: async (context) => {
        const resolved: ResolvedRequest = context;
        const { schema, document, operation, request, contextValue } = resolved;
        if (!operation) return null;
        const data = await answerPlainly({
          schema,
          document,
          operation,
          variables: request.variables ?? {},
          context: contextValue as GraphqlContext,
        });
        if (!data) return null;
        const { http } = context.response;
        return { http, body: { kind: 'single', singleResult: { data } } };
      },
    }),
};
