import type { RequestHandler } from 'express';
import { RouteNotFound } from '../common/errors';
import { EDITOR_POLICY } from './playground/playground-files';

export const ENDPOINTS = { system: '/graphql/system', items: '/graphql' } as const;

/** Apollo serves whatever its path is the beginning of. Only the endpoints themselves are some. */
/** In lower case, as they are served below a prefix. */
export const endpointPaths = (prefix: string): ReadonlySet<string> =>
  new Set(Object.values(ENDPOINTS).map((path) => `${prefix}${path}`.toLowerCase()));

export function endpointDoor(prefix: string): RequestHandler {
  const paths = endpointPaths(prefix);
  return (request, response, next) => {
    const path = `${request.baseUrl}${request.path}`.toLowerCase().replace(/\/$/, '');
    if (!paths.has(path)) return next(new RouteNotFound({ path: request.path }));
    // A browser may be given the editor's page. No other page may show it within itself.
    if (request.method === 'GET') response.setHeader('Content-Security-Policy', EDITOR_POLICY);
    next();
  };
}
