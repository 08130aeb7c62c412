import cors from 'cors';
import type { NextFunction, RequestHandler } from 'express';
import type { AppConfig } from '../../config/app-config';
import { REQUEST_ID_HEADER } from '../request/request-id';
import { deferAcceptedBody } from './accepted-bodies';
import { commonHeaders, refuseUnreadable } from './common-headers';
import { jsonBody } from './json-body';

const PREFLIGHT_SECONDS = 600;

/** What every request passes before its route, in this order; the same in our own application and as a guest. */
export const requestHandlers = (
  { corsOrigins, publicUrl }: Pick<AppConfig, 'corsOrigins' | 'publicUrl'>,
  observe: RequestHandler,
): RequestHandler =>
  inSequence([
    observe,
    commonHeaders(publicUrl),
    ...(corsOrigins.length === 0 ? [] : [allowOrigins(corsOrigins)]),
    deferAcceptedBody,
    refuseUnreadable,
    jsonBody(),
  ]);

/**
 * Combines several handlers into one: Express matches the path for each handler, which costs more than the handlers do.
 */
const inSequence =
  (handlers: readonly RequestHandler[]): RequestHandler =>
  (request, response, done) => {
    let at = 0;
    const next: NextFunction = (error?: unknown) => {
      const handler = error === undefined ? handlers[at++] : undefined;
      if (!handler) return done(error);
      try {
        void handler(request, response, next);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };

function allowOrigins(origins: readonly string[]): RequestHandler {
  const any = origins.includes('*');
  const options = {
    origin: any ? '*' : [...origins],
    // The headers that a page may read besides the standard ones.
    exposedHeaders: [REQUEST_ID_HEADER, 'Retry-After'],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'SEARCH'],
    maxAge: PREFLIGHT_SECONDS,
  };
  return cors(({ headers: { origin } }, set) => {
    // With `*`, or where an application's own CORS names every origin, any site could read with the visitor's cookies.
    const credentials = !any && origin !== undefined && origins.includes(origin);
    set(null, { ...options, credentials });
  });
}
