import type { JsonSchema } from '../common/request/describe.decorator';
import { exactly, listOf, OBJECT, objectOf, orNull, TEXT } from '../common/request/json-schema';
import { ANSWER_TYPES } from '../graphql';
import type { DocumentSettings } from './document-settings';
import { contentOf, faultResponse, faultResponses, jsonContent } from './responses';

const QUERY = { ...TEXT, minLength: 1 };

const REQUEST = exactly({
  query: QUERY,
  'variables?': orNull(OBJECT),
  'operationName?': orNull(TEXT),
  'extensions?': orNull(OBJECT),
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

/** A client's `Accept` chooses the type, also where the document is refused. */
const ANSWERS = {
  200: { description: 'Executed; faults are in `errors`.', ...contentOf(ANSWER_TYPES, ANSWER) },
  400: faultResponse(400, ANSWER_TYPES),
  401: faultResponse(401, ANSWER_TYPES),
};

const SUBJECTS: Readonly<Record<string, string>> = {
  items: 'the items of one’s own collections',
  system: 'sign-in, users, roles, policies and rules',
};

/** The GraphQL endpoints, which are no routes of controllers. */
export const graphqlPaths = (
  endpoints: Readonly<Record<string, string>>,
  { graphqlIntrospection }: DocumentSettings,
): JsonSchema =>
  Object.fromEntries(
    Object.entries(endpoints).map(([name, path]) => [
      path,
      {
        post: {
          operationId: `graphql_${name}`,
          tags: ['graphql'],
          summary: `GraphQL: ${SUBJECTS[name] ?? name}`,
          ...(graphqlIntrospection && {
            description: `Its schema is at \`/server/specs/graphql/${name}\`.`,
          }),
          requestBody: { required: true, ...jsonContent(REQUEST) },
          responses: { ...faultResponses({ takesBody: true }), ...ANSWERS },
        },
        get: {
          operationId: `graphql_${name}_query`,
          tags: ['graphql'],
          summary: `The same for queries; browsers get an editor`,
          parameters: [
            { name: 'query', in: 'query', schema: TEXT },
            { name: 'variables', in: 'query', schema: TEXT },
            { name: 'operationName', in: 'query', schema: TEXT },
            { name: 'extensions', in: 'query', schema: TEXT },
          ],
          // Mutations are sent by POST.
          responses: { ...faultResponses({ takesBody: false, more: [405] }), ...ANSWERS },
        },
      },
    ]),
  );
