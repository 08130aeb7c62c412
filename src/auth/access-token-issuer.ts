import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InvalidCredentials } from '../common/errors';
import { addressOf } from '../common/request/address';
import { RulesCache } from '../rules';
import { AccessTokens } from './access-tokens';
import type { IssuedSession } from './sessions/sessions';

/** Issues access tokens with claims for clients to read. */
@Injectable()
export class AccessTokenIssuer {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly rules: RulesCache,
  ) {}

  /**
   * The token of a session, with the current `id`, `role`, `app_access` and `admin_access`. These are for clients to
   * read: each request looks everything up again, by the user and the session alone.
   * @throws InvalidCredentials where the user has been deleted meanwhile
   */
  async issue({ user, session }: IssuedSession, request: Request): Promise<string> {
    const caller = await this.rules.callerFor({ user, session, ip: addressOf(request) });
    if (!caller) throw new InvalidCredentials({});
    return this.tokens.issue(user, session, {
      id: user,
      role: caller.identity.role,
      app_access: caller.appAccess,
      admin_access: caller.administrator,
    });
  }
}
