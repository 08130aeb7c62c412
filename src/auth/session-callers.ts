import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Asking, HeldRules } from '../rules';
import type { Who } from '../engine';
import { Forbidden, InvalidCredentials, TokenExpired } from '../common/errors';
import { Callers } from '../common/request/callers';
import { clientLeft } from '../common/request/client-left';
import { ForgeryCheck } from './forgery';
import { AccessTokens } from './access-tokens';
import { addressOf } from './client';
import { HeldSessions } from './held-sessions';
import { SessionTokens } from './session-tokens';
import type { BearerClaims } from './signed-tokens';
import { sessionCookieOf } from './token-cookies';

type From = Pick<Asking, 'ip' | 'left'>;

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Finds the caller by their access token or, if they show none, their session cookie. Without either they are nobody. */
@Injectable()
export class SessionCallers extends Callers {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly sessionTokens: SessionTokens,
    private readonly forgery: ForgeryCheck,
    private readonly sessions: HeldSessions,
    private readonly rules: HeldRules,
  ) {
    super();
  }

  async identify(request: Request, strict: boolean): Promise<Who> {
    const from: From = { ip: addressOf(request), left: clientLeft(request) };
    try {
      const claims = this.claimsOf(request);
      return claims ? await this.bearer(claims, from) : await this.nobody(from);
    } catch (error) {
      if (strict || !isRefusal(error)) throw error;
      return this.nobody(from);
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

  private async bearer(claims: BearerClaims, from: From): Promise<Who> {
    if (!(await this.sessions.isAlive(claims))) throw new InvalidCredentials({});
    const { user, session } = claims;
    return found(await this.rules.whoIs({ user, session, ...from }));
  }

  private async nobody(from: From): Promise<Who> {
    return found(await this.rules.whoIs({ user: null, session: null, ...from }));
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
