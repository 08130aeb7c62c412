import type { JsonSchema } from '../common/request/describe.decorator';
import { listOf, OBJECT, objectOf, orNull, TEXT } from '../common/request/json-schema';
import type { Deployment } from './deployment';
import { faultResponses, jsonContent } from './responses';

const REQUEST = objectOf({
  query: TEXT,
  'variables?': orNull(OBJECT),
  'operationName?': orNull(TEXT),
});

const ANSWER = objectOf({
  'data?': orNull(OBJECT),
  'errors?': listOf(
    objectOf({
      message: TEXT,
      extensions: objectOf({ code: TEXT }),
      'path?': listOf({ type: ['string', 'integer'] }),
    }),
  ),
});

const WHAT: Readonly<Record<string, string>> = {
  items: 'the items of one’s own collections',
  system: 'sign-in, users, roles, policies and rules',
};

/** The GraphQL endpoints, which are no routes of controllers. */
export const graphqlPaths = (
  endpoints: Readonly<Record<string, string>>,
  { graphqlIntrospection }: Deployment,
): JsonSchema =>
  Object.fromEntries(
    Object.entries(endpoints).map(([name, path]) => [
      path,
      {
        post: {
          operationId: `graphql_${name}`,
          tags: ['graphql'],
          summary: `GraphQL: ${WHAT[name] ?? name}`,
          ...(graphqlIntrospection && {
            description: `Its schema is at \`/server/specs/graphql/${name}\`.`,
          }),
          requestBody: { required: true, ...jsonContent(REQUEST) },
          responses: {
            200: { description: 'Executed; faults are in `errors`.', ...jsonContent(ANSWER) },
            ...faultResponses(true),
          },
        },
        get: {
          operationId: `graphql_${name}_query`,
          tags: ['graphql'],
          summary: `The same for queries; browsers get an editor`,
          parameters: [
            { name: 'query', in: 'query', schema: TEXT },
            { name: 'variables', in: 'query', schema: TEXT },
            { name: 'operationName', in: 'query', schema: TEXT },
          ],
          responses: {
            200: { description: 'Executed; faults are in `errors`.', ...jsonContent(ANSWER) },
            // Mutations are sent by POST.
            ...faultResponses(false, [405]),
          },
        },
      },
    ]),
  );
