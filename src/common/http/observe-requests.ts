import { performance } from 'node:perf_hooks';
import type { Express, Request, RequestHandler, Response } from 'express';
import { routesOf } from './routes';

/** A finished request. */
export interface FinishedRequest {
  readonly method: string;
  /** The pattern of its route, `/items/:collection`; `unmatched` where no route has its path. */
  readonly route: string;
  /** 499 where the client left before it had the whole answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** Sent on its connection during the request, headers included. */
  readonly bytes: number;
}

const CLIENT_LEFT = 499;
const UNMATCHED = 'unmatched';

/**
 * Reports each request once it is answered or aborted.
 * @param mounted paths in lower case that are served without a route of Express's
 */
export function observeRequests(
  observer: (ended: FinishedRequest, request: Request) => void,
  mounted: () => ReadonlySet<string>,
): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    // Before anything else: HEAD is carried out as GET in places.
    const { socket, method } = request;
    const sent = socket.bytesWritten;
    // A closed socket only knows its address if it was read before.
    void socket.remoteAddress;
    response.once('close', () => {
      observer(
        {
          method,
          route: routeOf(request, mounted),
          status: isAnswered(request, response) ? response.statusCode : CLIENT_LEFT,
          milliseconds: performance.now() - startedAt,
          bytes: socket.bytesWritten - sent,
        },
        request,
      );
    });
    next();
  };
}

/** Where the connection ended first, what was written afterwards counts as finished too, although it was never sent. */
const isAnswered = ({ errored }: Request, { writableFinished }: Response): boolean =>
  writableFinished && errored === null;

/** A path as sent must never become a stored label: there is no limit to their number. */
function routeOf(request: Request, mounted: () => ReadonlySet<string>): string {
  const { path } = (request.route ?? {}) as { readonly path?: unknown };
  if (typeof path === 'string') return path;
  const [address = ''] = request.originalUrl.split('?', 1);
  const asked = address.toLowerCase().replace(/\/$/, '');
  return mounted().has(asked) ? asked : (unreachedRoute(request, address) ?? UNMATCHED);
}

/** Where the request was answered before it came to its route, as for a body that cannot be read. */
function unreachedRoute({ app, method }: Request, path: string): string | undefined {
  const matching = routesOf(app as Express).at(path);
  const route = matching.find((each) => each.takes(method)) ?? matching[0];
  return route === undefined || route.path === '' ? undefined : route.path;
}
