import type { Request } from 'express';
import { GraphQLError } from 'graphql';
import { hasJsonType } from '../common/http/bodies';

/** Headers that no page of another site can send without a preflight request. */
const ASKED_FIRST = ['authorization', 'x-apollo-operation-name', 'apollo-require-preflight'];

/**
 * Any page can make a browser send a GET with its cookies. A query without a cookie is accepted: clients send their
 * queries so by default, with a bearer token.
 * @throws GraphQLError
 */
export function refuseCsrfQuery(request: Request): void {
  const { method, headers } = request;
  if (method !== 'GET' || headers.cookie === undefined) return;
  if (hasJsonType(request)) return;
  if (ASKED_FIRST.some((name) => (headers[name] ?? '') !== '')) return;
  throw new GraphQLError(
    `a query by GET with a cookie needs one of the headers ${ASKED_FIRST.join(', ')}`,
    { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } },
  );
}
