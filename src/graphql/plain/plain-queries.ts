import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { GraphqlContext } from '../graphql-context';
import { answerPlainly, type PlainRequest } from './plain-query';

/** Apollo's type, by the way that leads to the one that the driver means. */
type Plugin = NonNullable<ApolloDriverConfig['plugins']>[number];

interface Asked extends Pick<PlainRequest, 'schema' | 'document'> {
  /** Absent where the request names none of several, or one that is not there. */
  readonly operation?: PlainRequest['operation'];
  readonly request: { readonly variables?: PlainRequest['variables'] };
  readonly contextValue: object;
}

/** Answers plain queries in the place of graphql-js. */
export const plainQueries: Plugin = {
  requestDidStart: () =>
    Promise.resolve({
      responseForOperation: async (asked) => {
        const { schema, document, operation, request, contextValue } = asked as object as Asked;
        if (!operation) return null;
        const data = await answerPlainly({
          ...{ schema, document, operation, variables: request.variables ?? {} },
          context: contextValue as GraphqlContext,
        });
        if (!data) return null;
        const { http } = asked.response;
        return { http, body: { kind: 'single', singleResult: { data } } };
      },
    }),
};
