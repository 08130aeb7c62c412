import type { Request } from 'express';

const JSON_ANSWER = 'application/json';
const GRAPHQL_ANSWER = 'application/graphql-response+json';

/** The types of answers to GraphQL requests; the first is the default. */
export const ANSWER_TYPES = [JSON_ANSWER, GRAPHQL_ANSWER] as const;

const JSON_TYPE = `${JSON_ANSWER}; charset=utf-8`;
const GRAPHQL_TYPE = `${GRAPHQL_ANSWER}; charset=utf-8`;

/**
 * The `Content-Type` of an answer: GraphQL's own for clients that prefer it. Some of them, such as Apollo Client, read
 * the errors of an answer with a status of 400 or 401 only if it has this type. All others get JSON, also where they
 * accept none: their operation has run.
 */
export function answerType(request: Request | undefined): string {
  // Most clients do not name it, and reading the whole header takes longer than the rest.
  if (!request || !NAMED.test(request.headers.accept ?? '')) return JSON_TYPE;
  return request.accepts([...ANSWER_TYPES]) === GRAPHQL_ANSWER ? GRAPHQL_TYPE : JSON_TYPE;
}

const NAMED = /graphql-response/i;

/** Whether a `Content-Type` is one of these. */
export const isAnswerType = (type: unknown): type is string =>
  type === JSON_TYPE || type === GRAPHQL_TYPE;
