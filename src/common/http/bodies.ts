import type { Request } from 'express';

export const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || !NO_LENGTH.includes(headers['content-length']);

const NO_LENGTH: readonly (string | undefined)[] = [undefined, '0'];

interface Finishing extends Request {
  finished?: boolean;
}

const left = new WeakSet<object>();

/** Whether the route reads the body itself. */
export const isLeft = (request: Request): boolean => left.has(request);

/** Leaves the body to the route: whoever reads bodies takes this one for read. */
export function leaveBody(request: Finishing): void {
  left.add(request);
  request.finished = true;
}

/** Whether it was left; from here on it is not. */
export function takeBody(request: Finishing): boolean {
  delete request.finished;
  return left.delete(request);
}
