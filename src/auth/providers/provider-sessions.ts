import { Injectable } from '@nestjs/common';
import type { AuthProviderConfig } from '../../config/auth-providers';
import { AuthService } from '../auth.service';
import { clientOf } from '../client';
import { type ExternalAccount, Sessions } from '../sessions/sessions';
import type { Exchange } from '../../common/http/exchange';
import { TokenCookies } from '../token-cookies';
import { TokenIssuer } from '../token-issuer';

/** Sessions of users who were signed in by a provider: like any other, always in a cookie. */
@Injectable()
export class ProviderSessions {
  constructor(
    private readonly auth: AuthService,
    private readonly sessions: Sessions,
    private readonly issuer: TokenIssuer,
    private readonly cookies: TokenCookies,
  ) {}

  /**
   * Always a new session; the browser's previous one ends. The attempt has proven that no other page forged the
   * request.
   * @throws InvalidCredentials where the user was changed since they were found
   */
  async begin(
    account: ExternalAccount,
    { mode }: AuthProviderConfig,
    exchange: Exchange,
  ): Promise<void> {
    const previousSessions = this.cookies.heldBy(exchange);
    const lifetime = this.issuer.lifetimeOf(mode);
    const issued = await this.sessions.beginExternal(account, clientOf(exchange.request), lifetime);
    await this.auth.endSessions(previousSessions);
    await this.issuer.issue(issued, mode, exchange);
  }
}
