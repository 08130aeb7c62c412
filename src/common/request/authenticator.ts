import type { Request } from 'express';
import type { Caller } from '../../engine';

/**
 * How a bad or expired token is treated. `ignored`: its sender counts as not signed in, since a stale token must never
 * stop anyone from signing in. `refused`: with an error.
 */
export type StaleToken = 'ignored' | 'refused';

/** Identifies the sender of a request. The sign-in module provides the implementation. */
export abstract class Authenticator {
  /** @throws InvalidCredentials, TokenExpired, Forbidden for a forged request: each only where such a token is refused */
  abstract authenticate(request: Request, staleToken: StaleToken): Promise<Caller>;
}
