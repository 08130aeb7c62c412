import { Injectable } from '@nestjs/common';
import { objectOf, TEXT, INTEGER } from '../common/request/json-schema';
import { InvalidCredentials, TokenExpired } from '../common/errors';
import { AppConfig } from '../config/app-config';
import { AccessTokenIssuer } from './access-token-issuer';
import type { Mode } from './auth.inputs';
import { RefreshTokens } from './sessions/refresh-tokens';
import type { IssuedSession } from './sessions/sessions';
import { SessionTokens } from './sessions/session-tokens';
import type { Exchange } from '../common/http/exchange';
import { TokenCookies } from './token-cookies';

/** The answer; missing members are in a cookie. */
export interface Tokens {
  /** How long the access token, or the session cookie, is valid, in milliseconds. */
  readonly expires: number;
  readonly access_token?: string;
  readonly refresh_token?: string;
}

/** The same as a schema. */
export const TOKENS = objectOf({
  expires: { ...INTEGER, description: 'Milliseconds.' },
  'access_token?': TEXT,
  'refresh_token?': TEXT,
});

/** Issues tokens, and reads the refresh token back from a session cookie. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly accessTokens: AccessTokenIssuer,
    private readonly refreshTokens: RefreshTokens,
    private readonly sessionTokens: SessionTokens,
    private readonly cookies: TokenCookies,
    private readonly config: AppConfig,
  ) {}

  /** How long a session lasts unless it is prolonged: no longer than what the client stores. */
  lifetimeOf(mode: Mode): number {
    return mode === 'session' ? this.config.sessionTtl : this.config.refreshTokenTtl;
  }

  /** @throws InvalidCredentials where the user has been deleted meanwhile */
  async issue(issued: IssuedSession, mode: Mode, exchange: Exchange): Promise<Tokens> {
    const { user, session, generation, refreshToken } = issued;
    if (mode === 'session') {
      this.cookies.set(exchange, 'session', this.sessionTokens.issue(user, session, generation));
      return { expires: this.config.sessionTtl };
    }
    const access_token = await this.accessTokens.issue(issued, exchange.request);
    const expires = this.config.accessTokenTtl;
    if (mode === 'json') return { expires, access_token, refresh_token: refreshToken };
    this.cookies.set(exchange, 'refresh', refreshToken);
    return { expires, access_token };
  }

  /**
   * The refresh token that a session cookie represents.
   * @throws InvalidCredentials
   */
  refreshTokenOf(sessionToken: string): string {
    try {
      return this.refreshTokens.issue(this.sessionTokens.read(sessionToken));
    } catch (error) {
      if (error instanceof TokenExpired) throw new InvalidCredentials({}, { cause: error });
      throw error;
    }
  }
}
