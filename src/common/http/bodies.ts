import type { Request } from 'express';

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || !NO_LENGTH.includes(headers['content-length']);

const NO_LENGTH: readonly (string | undefined)[] = [undefined, '0'];

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** Whether the request says that its body is JSON. */
export const hasJsonType = ({ headers }: Request): boolean =>
  JSON_TYPE.test(headers['content-type'] ?? '');

interface Finishing extends Request {
  finished?: boolean;
}

const deferred = new WeakSet<object>();

/** Whether the body is deferred to the route, which reads it itself. */
export const isBodyDeferred = (request: Request): boolean => deferred.has(request);

/** Defers the body to the route. */
export function deferBody(request: Request): void {
  deferred.add(request);
  closeBody(request);
}

/** Body parsers treat it as already read from here on. */
export function closeBody(request: Finishing): void {
  request.finished = true;
}

/** Whether it was deferred to the route; clears that mark. */
export function takeDeferredBody(request: Finishing): boolean {
  delete request.finished;
  return deferred.delete(request);
}
