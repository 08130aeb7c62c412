import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ExpectationFailed, InvalidPayload, UnsupportedMediaType } from '../errors';
import { REQUEST_ID_HEADER, requestId } from '../request/request-id';
import { hasBody, isLeft } from './bodies';

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CONTINUE = /^100-continue$/i;

/** A year, as those ask who judge it. Hosts below ours are not ours to speak for. */
const TRANSPORT = 'max-age=31536000';

/**
 * What holds for every request, before anything reads it: also for those that are refused. A page says itself what it
 * may load.
 * @param isHttps whether others reach the service by HTTPS, and are to come by nothing else
 */
export const commonHeaders =
  (isHttps: boolean): RequestHandler =>
  (request, response, next) => {
    // Answers depend on who asks, and may hold tokens.
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    if (isHttps) response.setHeader('Strict-Transport-Security', TRANSPORT);
    response.setHeader(REQUEST_ID_HEADER, requestId(request));
    // Nobody has kept an answer; `*` would be told that any is still fresh.
    delete request.headers['if-none-match'];
    next();
  };

/** Refuses what nothing here reads. After the answer is marked as one that another origin may read. */
export function refuseUnreadable(request: Request, _response: Response, next: NextFunction): void {
  next(faultOf(request));
}

function faultOf(request: Request): Error | undefined {
  const { expect, host } = request.headers;
  if (expect !== undefined && !CONTINUE.test(expect)) return new ExpectationFailed({});
  if (host === undefined && request.httpVersion !== '1.0') {
    return new InvalidPayload({ reason: 'the request has no "Host"' });
  }
  return hasForeignBody(request) ? new UnsupportedMediaType({}) : undefined;
}

/** JSON alone is read where a route does not ask for more: a form or plain text is what another site can send from a browser without asking. */
const hasForeignBody = (request: Request): boolean =>
  hasBody(request) && !isLeft(request) && !JSON_TYPE.test(request.headers['content-type'] ?? '');
