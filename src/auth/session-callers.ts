import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type CallerFacts, RulesCache } from '../rules';
import type { Caller } from '../engine';
import { Forbidden, InvalidCredentials, TokenExpired } from '../common/errors';
import { Callers } from '../common/request/callers';
import { addressOf } from '../common/request/address';
import { clientLeft } from '../common/request/client-left';
import { infoOf } from '../common/request/request-info';
import { CsrfCheck } from './csrf-check';
import { AccessTokens } from './access-tokens';
import { SessionCache } from './session-cache';
import { SessionTokens } from './session-tokens';
import type { TokenClaims } from './signed-tokens';
import { sessionCookieOf } from './token-cookies';

type From = Pick<CallerFacts, 'ip' | 'left' | 'request'>;

const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Finds the caller by their access token or, if they show none, their session cookie. Without either they are nobody. */
@Injectable()
export class SessionCallers extends Callers {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly sessionTokens: SessionTokens,
    private readonly csrf: CsrfCheck,
    private readonly sessions: SessionCache,
    private readonly rules: RulesCache,
  ) {
    super();
  }

  async identify(request: Request, strict: boolean): Promise<Caller> {
    const from: From = {
      ip: addressOf(request),
      left: clientLeft(request),
      request: infoOf(request),
    };
    try {
      const claims = this.claimsOf(request);
      return claims ? await this.callerOf(claims, from) : await this.nobody(from);
    } catch (error) {
      if (strict || !isRefusal(error)) throw error;
      return this.nobody(from);
    }
  }

  private claimsOf(request: Request): TokenClaims | undefined {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      return this.accessTokens.read(BEARER.exec(authorization)?.[1] ?? '');
    }
    const cookie = sessionCookieOf(request);
    if (cookie === undefined) return undefined;
    this.csrf.refuseForged(request);
    return this.sessionTokens.read(cookie);
  }

  private async callerOf(claims: TokenClaims, from: From): Promise<Caller> {
    if (!(await this.sessions.isAlive(claims))) throw new InvalidCredentials({});
    const { user, session } = claims;
    return found(await this.rules.callerFor({ user, session, ...from }));
  }

  private async nobody(from: From): Promise<Caller> {
    return found(await this.rules.callerFor({ user: null, session: null, ...from }));
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof InvalidCredentials ||
  error instanceof TokenExpired ||
  error instanceof Forbidden;

function found(caller: Caller | undefined): Caller {
  if (!caller) throw new InvalidCredentials({});
  return caller;
}
