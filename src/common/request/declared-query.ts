import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidQuery } from '../errors';

/** A token in a URL is refused whatever else is ignored, since URLs end up in logs. */
const TOKENS = ['access_token', 'token'];
const READS = ['GET', 'HEAD', 'SEARCH'];

/** The query parameters of routes, by the method of their controller. */
@Injectable()
export class DeclaredQueries {
  /** By method. A method that is missing here reads its query itself, or belongs to a team. */
  private readonly names = new Map<object, ReadonlySet<string>>();

  /** Registers all query parameters of a route. */
  add(method: object, names: ReadonlySet<string>): void {
    this.names.set(method, names);
  }

  /** @throws InvalidQuery that names a query parameter which the route does not have */
  refuseUndeclared(method: object, request: Request, ignores: boolean): void {
    // Parsing the query costs more than this check, and most requests have none.
    if (!request.url.includes('?')) return;
    const names = this.names.get(method);
    if (names) refuseOthers(Object.keys(request.query), names, ignores && isRead(request));
  }
}

const isRead = ({ method }: Request): boolean => READS.includes(method);

/**
 * @param ignores whether unknown parameters, other than tokens, are ignored
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
