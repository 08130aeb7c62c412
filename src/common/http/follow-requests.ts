import { performance } from 'node:perf_hooks';
import type { Request, RequestHandler } from 'express';

/** A request that has come to its end. */
export interface FollowedRequest {
  readonly method: string;
  /** The pattern of its route, `/items/:collection`; `unmatched`, where there is none. */
  readonly route: string;
  /** 499 where the client left before it had the whole answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** Sent on its connection meanwhile, headers included. */
  readonly bytes: number;
}

const CLIENT_LEFT = 499;
const UNMATCHED = 'unmatched';

/**
 * Tells of each request once it is answered or given up.
 * @param mounted paths in lower case that are served without a route of Express's
 */
export function followRequests(
  follower: (ended: FollowedRequest, request: Request) => void,
  mounted: () => ReadonlySet<string>,
): RequestHandler {
  return (request, response, next) => {
    const begun = performance.now();
    const { socket } = request;
    const sent = socket.bytesWritten;
    // Of a connection that is gone it is only known if somebody has asked before.
    void socket.remoteAddress;
    response.once('close', () => {
      follower(
        {
          method: request.method,
          route: routeOf(request, mounted),
          status: response.writableFinished ? response.statusCode : CLIENT_LEFT,
          milliseconds: performance.now() - begun,
          bytes: socket.bytesWritten - sent,
        },
        request,
      );
    });
    next();
  };
}

/** A path as it was sent must never become a name that is kept: there is no end of those. */
function routeOf(request: Request, mounted: () => ReadonlySet<string>): string {
  const { path } = (request.route ?? {}) as { readonly path?: unknown };
  if (typeof path === 'string') return path;
  const asked = (request.originalUrl.split('?', 1)[0] ?? '').toLowerCase().replace(/\/$/, '');
  return mounted().has(asked) ? asked : UNMATCHED;
}
