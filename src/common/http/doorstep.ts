import type { NextFunction, Request, Response } from 'express';
import { UnsupportedMediaType } from '../errors';
import { hasBody } from './json-body';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** What holds for every request, before anything reads it. */
export function doorstep(request: Request, response: Response, next: NextFunction): void {
  // Answers depend on who asks, and may hold tokens.
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Nobody has kept an answer; `*` would be told that any is still fresh.
  delete request.headers['if-none-match'];
  next(hasForeignBody(request) ? new UnsupportedMediaType({}) : undefined);
}

/** JSON alone is read: a form or plain text is what another site can send from a browser without asking. */
const hasForeignBody = (request: Request): boolean =>
  hasBody(request) && !JSON_TYPE.test(request.headers['content-type'] ?? '');
