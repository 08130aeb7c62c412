import type { Request } from 'express';
import type { Caller } from '../../engine';

/** Finds out who sends a request. The sign-in module provides the implementation. */
export abstract class Authenticator {
  /**
   * @param strict refuse a bad or expired token; otherwise whoever sends it is taken for nobody, since a stale token must never
   * keep anyone from signing in
   * @throws InvalidCredentials, TokenExpired
   */
  abstract authenticate(request: Request, strict: boolean): Promise<Caller>;
}
