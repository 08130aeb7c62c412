import type { Request } from 'express';
import type { Who } from '../../engine';

/** Finds out who sends a request. The one who knows how is provided by the sign-in module. */
export abstract class Callers {
  /**
   * @param strict a token that is bad or expired is refused; otherwise whoever bears it is nobody: a stale token must
   * never keep anyone from signing in
   * @throws InvalidCredentials, TokenExpired
   */
  abstract identify(request: Request, strict: boolean): Promise<Who>;
}
