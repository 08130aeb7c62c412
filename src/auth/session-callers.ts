import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Collections, type Who } from '../collections';
import { Forbidden, InvalidCredentials, TokenExpired } from '../common/errors';
import { Callers } from '../common/request/callers';
import { ForgeryCheck } from '../common/request/forgery';
import { AccessTokens } from './access-tokens';
import { addressOf } from './client';
import { HeldSessions } from './held-sessions';
import { SessionTokens } from './session-tokens';
import type { BearerClaims } from './signed-tokens';
import { sessionCookieOf } from './token-cookies';

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Finds the caller by their access token or, if they show none, their session cookie. Without either they are nobody. */
@Injectable()
export class SessionCallers extends Callers {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly sessionTokens: SessionTokens,
    private readonly forgery: ForgeryCheck,
    private readonly sessions: HeldSessions,
    private readonly collections: Collections,
  ) {
    super();
  }

  async identify(request: Request, strict: boolean): Promise<Who> {
    const ip = addressOf(request);
    try {
      const claims = this.claimsOf(request);
      return claims ? await this.bearer(claims, ip) : await this.nobody(ip);
    } catch (error) {
      if (strict || !isRefusal(error)) throw error;
      return this.nobody(ip);
    }
  }

  private claimsOf(request: Request): BearerClaims | undefined {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      return this.accessTokens.read(BEARER.exec(authorization)?.[1] ?? '');
    }
    const cookie = sessionCookieOf(request);
    if (cookie === undefined) return undefined;
    this.forgery.refuseForged(request);
    return this.sessionTokens.read(cookie);
  }

  private async bearer(claims: BearerClaims, ip: string | null): Promise<Who> {
    if (!(await this.sessions.isAlive(claims))) throw new InvalidCredentials({});
    const { user, session } = claims;
    return found(await this.collections.rules.whoIs({ user, session, ip }));
  }

  private async nobody(ip: string | null): Promise<Who> {
    return found(await this.collections.rules.whoIs({ user: null, session: null, ip }));
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof InvalidCredentials ||
  error instanceof TokenExpired ||
  error instanceof Forbidden;

function found(who: Who | undefined): Who {
  if (!who) throw new InvalidCredentials({});
  return who;
}
