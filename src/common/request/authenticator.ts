import type { Request } from 'express';
import type { Caller } from '../../engine';

/** Identifies the sender of a request. The sign-in module provides the implementation. */
export abstract class Authenticator {
  /**
   * @param strict refuse a bad or expired token; otherwise its sender counts as not signed in, since a stale token must
   * never stop anyone from signing in
   * @throws InvalidCredentials, TokenExpired
   */
  abstract authenticate(request: Request, strict: boolean): Promise<Caller>;
}
