import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { SizedCache } from '../common/metrics/metrics';
import { AppConfig } from '../config/app-config';
import { type TokenClaims, SignedTokens } from './signed-tokens';

/** The token that a caller sends with every request. */
@Injectable()
export class AccessTokens {
  private readonly tokens: SignedTokens<TokenClaims>;

  constructor(
    jwt: JwtService,
    private readonly config: AppConfig,
  ) {
    this.tokens = new SignedTokens(jwt, 'access', (claims) => claims);
  }

  get sized(): SizedCache {
    return this.tokens.sized;
  }

  /** @param extraClaims for clients to read; nothing of ours does */
  issue(
    user: string,
    session: string,
    extraClaims: Readonly<Record<string, unknown>> = {},
  ): string {
    return this.tokens.issue(user, session, this.config.accessTokenTtl, extraClaims);
  }

  /** @throws InvalidCredentials, TokenExpired */
  read(token: string): TokenClaims {
    return this.tokens.read(token);
  }
}
