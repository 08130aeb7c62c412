import type { Request } from 'express';
import { GraphQLError } from 'graphql';
import { AppError, InvalidPayload } from '../common/errors';
import { refuseOthers } from '../common/request/declared-query';
import { isRecord } from '../common/is-object';

const MEMBERS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);
const NONE: ReadonlySet<string> = new Set();

/**
 * Refuses query parameters, and members of a body, that an endpoint does not have, as every other route does.
 * @throws GraphQLError
 */
export function refuseOtherParameters(request: Request, ignores: boolean): void {
  try {
    refuseInUrl(request, ignores);
    if (request.method !== 'GET') refuseInBody(request.body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const extensions = { http: { status: error.status } };
    throw new GraphQLError(error.message, { originalError: error, extensions });
  }
}

function refuseInUrl({ method, url }: Request, ignores: boolean): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  const isRead = method === 'GET';
  const names = new URLSearchParams(url.slice(start)).keys();
  refuseOthers(names, isRead ? MEMBERS : NONE, ignores && isRead);
}

/** Apollo refuses what is not an object. */
function refuseInBody(body: unknown): void {
  if (!isRecord(body)) return;
  const field = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (field !== undefined) throw new InvalidPayload({ field, reason: 'does not belong here' });
}
