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

type RequestFacts = Pick<CallerFacts, 'ip' | 'left' | 'request'>;

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
    const facts: RequestFacts = {
      ip: addressOf(request),
      left: disconnectSignal(request),
      request: infoOf(request),
    };
    try {
      const token = this.presented.read(request);
      return token ? await this.callerOf(token, facts) : await this.nobody(facts);
    } catch (error) {
      if (staleToken === 'refused' || !isRejectedToken(error)) throw error;
      return this.nobody(facts);
    }
  }

  private async callerOf(presented: PresentedToken, facts: RequestFacts): Promise<Caller> {
    if ('token' in presented) {
      const staticToken = await this.staticTokens.read(presented);
      const { user } = presented;
      return requireCaller(
        await this.rules.callerFor({ user, session: null, staticToken, ...facts }),
      );
    }
    const { claims } = presented;
    if (!(await this.sessions.isAlive(claims))) throw new InvalidCredentials({});
    const { user, session } = claims;
    return requireCaller(await this.rules.callerFor({ user, session, ...facts }));
  }

  private async nobody(facts: RequestFacts): Promise<Caller> {
    return requireCaller(await this.rules.callerFor({ user: null, session: null, ...facts }));
  }
}

const isRejectedToken = (error: unknown): boolean =>
  error instanceof InvalidCredentials ||
  error instanceof TokenExpired ||
  error instanceof Forbidden;

function requireCaller(caller: Caller | undefined): Caller {
  if (!caller) throw new InvalidCredentials({});
  return caller;
}
