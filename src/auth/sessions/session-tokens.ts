import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { SizedCache } from '../../common/metrics/metrics';
import { AppConfig } from '../../config/app-config';
import { type TokenClaims, SignedTokens } from '../signed-tokens';

/** Also names a position in a family of refresh tokens: the session cookie alone is enough to rotate it. */
interface SessionClaims extends TokenClaims {
  readonly generation: number;
}

/** What a browser stores in session mode: access and refresh token in one, which no script can read. */
@Injectable()
export class SessionTokens {
  private readonly tokens: SignedTokens<SessionClaims>;

  constructor(
    jwt: JwtService,
    private readonly config: AppConfig,
  ) {
    this.tokens = new SignedTokens(jwt, 'session', (claims, { gen }) =>
      typeof gen === 'number' ? { ...claims, generation: gen } : undefined,
    );
  }

  get sized(): SizedCache {
    return this.tokens.sized;
  }

  issue(user: string, session: string, generation: number): string {
    return this.tokens.issue(user, session, this.config.sessionTtl, { gen: generation });
  }

  /** @throws InvalidCredentials, TokenExpired */
  read(token: string): SessionClaims {
    return this.tokens.read(token);
  }
}
