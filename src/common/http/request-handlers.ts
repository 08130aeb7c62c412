import cors from 'cors';
import type { RequestHandler } from 'express';
import { leaveAccepted } from './accepted-bodies';
import { refuseUnreadable, setCommonHeaders } from './common-headers';
import { jsonBody } from './json-body';

const PREFLIGHT_SECONDS = 600;

/** What every request passes before its route, in this order; the same in a house of its own and in somebody else's. */
export const requestHandlers = (
  origins: readonly string[],
  follow: RequestHandler,
): RequestHandler[] => [
  follow,
  setCommonHeaders,
  ...(origins.length === 0 ? [] : [allowOrigins(origins)]),
  leaveAccepted,
  refuseUnreadable,
  jsonBody(),
];

function allowOrigins(origins: readonly string[]): RequestHandler {
  const any = origins.includes('*');
  return cors({
    origin: any ? '*' : [...origins],
    // With `*` any site could read with the visitor's cookies.
    credentials: !any,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'SEARCH'],
    maxAge: PREFLIGHT_SECONDS,
  });
}
