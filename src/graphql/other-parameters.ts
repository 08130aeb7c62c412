import type { Request } from 'express';
import { GraphQLError } from 'graphql';
import { AppError } from '../common/errors';
import { refuseOthers } from '../common/request/declared-query';

const OF_GET: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions']);
const NONE: ReadonlySet<string> = new Set();

/** Refuses query parameters that an endpoint does not have, as every other route does. @throws GraphQLError */
export function refuseOtherParameters({ method, url }: Request, ignores: boolean): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  const isRead = method === 'GET';
  try {
    const names = new URLSearchParams(url.slice(start)).keys();
    refuseOthers(names, isRead ? OF_GET : NONE, ignores && isRead);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const extensions = { http: { status: error.status } };
    throw new GraphQLError(error.message, { originalError: error, extensions });
  }
}
