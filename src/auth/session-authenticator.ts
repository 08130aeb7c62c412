import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type CallerFacts, RulesCache } from '../rules';
import type { Caller } from '../engine';
import { Forbidden, InvalidCredentials, TokenExpired } from '../common/errors';
import { Authenticator, type StaleToken } from '../common/request/authenticator';
import { addressOf } from '../common/request/address';
import { disconnectSignal } from '../common/request/disconnect-signal';
import { infoOf } from '../common/request/request-info';
import { type PresentedToken, PresentedTokens } from './presented-tokens';
import { SessionCache } from './sessions/session-cache';
import { StaticTokenCache } from './static-tokens/static-token-cache';

type From = Pick<CallerFacts, 'ip' | 'left' | 'request'>;

/**
 * Finds the caller by their bearer token or, without one, their session cookie. Without either they are not signed in.
 */
@Injectable()
export class SessionAuthenticator extends Authenticator {
  constructor(
    private readonly presented: PresentedTokens,
    private readonly sessions: SessionCache,
    private readonly staticTokens: StaticTokenCache,
    private readonly rules: RulesCache,
  ) {
    super();
  }

  async authenticate(request: Request, staleToken: StaleToken): Promise<Caller> {
    const from: From = {
      ip: addressOf(request),
      left: disconnectSignal(request),
      request: infoOf(request),
    };
    try {
      const shown = this.presented.read(request);
      return shown ? await this.callerOf(shown, from) : await this.nobody(from);
    } catch (error) {
      if (staleToken === 'refused' || !isRejectedToken(error)) throw error;
      return this.nobody(from);
    }
  }

  private async callerOf(shown: PresentedToken, from: From): Promise<Caller> {
    if ('token' in shown) {
      const staticToken = await this.staticTokens.read(shown);
      const { user } = shown;
      return found(await this.rules.callerFor({ user, session: null, staticToken, ...from }));
    }
    const { claims } = shown;
    if (!(await this.sessions.isAlive(claims))) throw new InvalidCredentials({});
    const { user, session } = claims;
    return found(await this.rules.callerFor({ user, session, ...from }));
  }

  private async nobody(from: From): Promise<Caller> {
    return found(await this.rules.callerFor({ user: null, session: null, ...from }));
  }
}

const isRejectedToken = (error: unknown): boolean =>
  error instanceof InvalidCredentials ||
  error instanceof TokenExpired ||
  error instanceof Forbidden;

function found(caller: Caller | undefined): Caller {
  if (!caller) throw new InvalidCredentials({});
  return caller;
}
