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

const left = new WeakSet<object>();

/** Whether the route reads the body itself. */
export const isLeft = (request: Request): boolean => left.has(request);

/** Leaves the body to the route. */
export function leaveBody(request: Request): void {
  left.add(request);
  closeBody(request);
}

/** Body parsers treat it as already read from here on. */
export function closeBody(request: Finishing): void {
  request.finished = true;
}

/** Whether it was left to the route; clears that mark. */
export function takeBody(request: Finishing): boolean {
  delete request.finished;
  return left.delete(request);
}
