import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ExpectationFailed, InvalidPayload, UnsupportedMediaType } from '../errors';
import { REQUEST_ID_HEADER, requestId } from '../request/request-id';
import { acceptedType } from './accepted-bodies';
import { hasBody, hasJsonType, isBodyDeferred } from './bodies';

const HTTPS = /^https:/i;
const CONTINUE = /^100-continue$/i;

/** A year, as security checkers demand. Subdomains are not included, since they may belong to others. */
const TRANSPORT = 'max-age=31536000';

/**
 * Headers of every answer. A page sets its own policy.
 * @param publicUrl where clients reach the service; if by HTTPS, they must use nothing else
 */
export const headersOfAnswers = (publicUrl = ''): Readonly<Record<string, string>> => ({
  // Answers depend on the caller, and may hold tokens.
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  ...(HTTPS.test(publicUrl) && { 'Strict-Transport-Security': TRANSPORT }),
});

/** Sets these headers before the request is read, so that refusals have them too. */
export const commonHeaders = (publicUrl: string): RequestHandler => {
  const headers = Object.entries(headersOfAnswers(publicUrl));
  return (request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader(REQUEST_ID_HEADER, requestId(request));
    // No cache may hold an answer, so a conditional request never matches; `*` would match any.
    delete request.headers['if-none-match'];
    next();
  };
};

/** Refuses requests that cannot be read. Runs after CORS, so that another origin may read the refusal. */
export function refuseUnreadable(request: Request, _response: Response, next: NextFunction): void {
  next(faultOf(request));
}

function faultOf(request: Request): Error | undefined {
  const { expect, host } = request.headers;
  if (expect !== undefined && !CONTINUE.test(expect)) return new ExpectationFailed({});
  if (host === undefined && request.httpVersion !== '1.0') {
    return new InvalidPayload({ reason: 'the request has no "Host"' });
  }
  if (!hasForeignBody(request)) return undefined;
  const also = acceptedType(request);
  return new UnsupportedMediaType(also === undefined ? {} : { also });
}

/** Routes read only JSON unless they declare another type: another site's page can send a form or plain text without a preflight request. */
const hasForeignBody = (request: Request): boolean =>
  hasBody(request) && !isBodyDeferred(request) && !hasJsonType(request);
