import type { Request } from 'express';
import { InvalidQuery } from '../errors';

/** Whoever sends a token in an address is told that it has no place there, since addresses end in logs. */
const TOKENS = ['access_token', 'token'];
const READS = ['GET', 'HEAD', 'SEARCH'];

/** By the method of a controller. A method that is not here reads its query itself, or is none of ours to judge. */
const declared = new WeakMap<object, ReadonlySet<string>>();

/** Notes all parameters that may stand in the address of a route. */
export const declareQuery = (method: object, names: ReadonlySet<string>): unknown =>
  declared.set(method, names);

/** Of a request for a route. @throws InvalidQuery that names a parameter which the route does not have */
export function refuseUndeclared(method: object, request: Request, ignores: boolean): void {
  // Most have no query: nothing is looked for then.
  if (!request.url.includes('?')) return;
  const names = declared.get(method);
  if (names) refuseOthers(Object.keys(request.query), names, ignores && isRead(request));
}

const isRead = ({ method }: Request): boolean => READS.includes(method);

/**
 * @param ignores whether those that mean nothing are passed over
 * @throws InvalidQuery
 */
export function refuseOthers(
  sent: Iterable<string>,
  names: ReadonlySet<string>,
  ignores: boolean,
): void {
  for (const field of sent) {
    if (names.has(field) || (ignores && !isToken(field))) continue;
    throw new InvalidQuery({ field, reason: 'is no query parameter' });
  }
}

export const isToken = (name: string): boolean => TOKENS.includes(name);
