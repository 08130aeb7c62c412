import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler, Response } from 'express';

/** A finished request. */
export interface FollowedRequest {
  readonly method: string;
  /** The pattern of its route, `/items/:collection`; `unmatched` without a route. */
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
export function followRequests(
  follower: (ended: FollowedRequest, request: Request) => void,
  mounted: () => ReadonlySet<string>,
): RequestHandler {
  return (request, response, next) => {
    const begun = performance.now();
    // Before anything else: HEAD is carried out as GET in places.
    const { socket, method } = request;
    const sent = socket.bytesWritten;
    // A closed socket only knows its address if it was read before.
    void socket.remoteAddress;
    response.once('close', () => {
      follower(
        {
          method,
          route: routeOf(request, mounted),
          status: isAnswered(request, response) ? response.statusCode : CLIENT_LEFT,
          milliseconds: performance.now() - begun,
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
  const asked = (request.originalUrl.split('?', 1)[0] ?? '').toLowerCase().replace(/\/$/, '');
  return mounted().has(asked) ? asked : UNMATCHED;
}
