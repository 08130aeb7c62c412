import type { NextFunction, Request, Response } from 'express';

/** As the router takes them. */
const ROUTES = /^\/(?:users\/)?register\/?$/i;
const NO_CONTENT = 204;

/** A registration that cannot even be read is answered like any other. */
export function answerUnheard(
  error: unknown,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (request.method !== 'POST' || !ROUTES.test(request.path)) return next(error);
  response.status(NO_CONTENT).end();
}
