import type { HttpAdapterHost } from '@nestjs/core';
import type { Request, RequestHandler } from 'express';
import { MethodNotAllowed, pathOf, RouteNotFound } from '../common/errors';
import { FastExpressAdapter } from '../common/http/fast-express-adapter';
import type { Endpoint } from './operation';
import type { PlaygroundService } from './playground/playground.service';
import { replyAsRest } from './reply-as-rest';

export const ENDPOINTS = { system: '/graphql/system', items: '/graphql' } as const;

/** Apollo, which knows no HEAD, would not name it. */
const METHODS = ['GET', 'HEAD', 'POST'];

/** In lower case, relative to the prefix. */
export const endpointPaths = (prefix: string): ReadonlySet<string> =>
  new Set(Object.values(ENDPOINTS).map((path) => `${prefix}${path}`.toLowerCase()));

/** Apollo serves every path that begins with its own. Only the endpoints themselves are served here. */
export function endpointMiddleware(
  prefix: string,
  playground: PlaygroundService,
  { httpAdapter }: HttpAdapterHost,
): RequestHandler {
  const paths = endpointPaths(prefix);
  return (request, response, next) => {
    const path = `${request.baseUrl}${request.path}`.toLowerCase().replace(/\/$/, '');
    if (!paths.has(path)) return next(new RouteNotFound({ path: pathOf(request) }));
    if (!METHODS.includes(request.method)) return next(new MethodNotAllowed({ allowed: METHODS }));
    const exchange = { request, response };
    if (!playground.isWanted(exchange)) {
      // In a team's application their own settings decide how answers are sent.
      if (httpAdapter instanceof FastExpressAdapter) replyAsRest(httpAdapter, request, response);
      readAsGet(request);
      return next();
    }
    const name = path.endsWith(ENDPOINTS.system) ? 'system' : 'items';
    // The remaining path inside a middleware does not show whether the address ends with a slash.
    const isFolder = /^[^?]*\/(\?|$)/.test(request.originalUrl);
    response.send(playground.page(name, pathToRoot(name, isFolder), exchange));
  };
}

/** From `/graphql/system` to `/`. Relative, since a proxy may serve all of this below a path. */
function pathToRoot(endpoint: Endpoint, isFolder: boolean): string {
  const folders = ENDPOINTS[endpoint].split('/').length - 2 + Number(isFolder);
  return folders === 0 ? './' : '../'.repeat(folders);
}

/**
 * Apollo knows no HEAD, and takes an empty parameter for malformed JSON. Here HEAD is GET, of whose answer Node leaves
 * the body out, and an empty parameter is absent, as in all other queries.
 */
function readAsGet(request: Request): void {
  if (request.method === 'HEAD') request.method = 'GET';
  if (request.method !== 'GET') return;
  request.url = request.url.replace(EMPTY, '');
}

/** `variables=&` */
const EMPTY = /(?<=[?&])(?:query|variables|operationName|extensions)=?(?:&|$)/g;
