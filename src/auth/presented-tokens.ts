import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccessTokens } from './access-tokens';
import { CsrfCheck } from './csrf-check';
import { SessionTokens } from './sessions/session-tokens';
import type { TokenClaims } from './signed-tokens';
import { ownerOf } from './static-tokens/token-form';
import { sessionCookieOf } from './token-cookies';

/** The credentials of a request: a session's token, or a static token with its user. */
export type PresentedToken =
  { readonly claims: TokenClaims } | { readonly user: string; readonly token: string };

/**
 * Where a request has a cookie too, only this scheme is ours: a browser behind a proxy with a password also sends `Basic`
 * with each request.
 */
const IS_BEARER = /^Bearer\b/i;
const BEARER = /^Bearer ([\w.-]+)$/i;

/** Reads the bearer token of a request or, without one, its session cookie. */
@Injectable()
export class PresentedTokens {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly sessionTokens: SessionTokens,
    private readonly csrf: CsrfCheck,
  ) {}

  /**
   * @returns undefined where the request has neither
   * @throws InvalidCredentials, TokenExpired; Forbidden for a cookie that another site's page may have sent
   */
  read(request: Request): PresentedToken | undefined {
    const { authorization } = request.headers;
    const bearer = authorization === undefined ? null : BEARER.exec(authorization);
    if (bearer) return this.bearer(bearer[1] ?? '');
    const cookie = sessionCookieOf(request);
    if (authorization !== undefined && (cookie === undefined || IS_BEARER.test(authorization))) {
      return this.bearer('');
    }
    if (cookie === undefined) return undefined;
    this.csrf.refuseForged(request);
    return { claims: this.sessionTokens.read(cookie) };
  }

  private bearer(token: string): PresentedToken {
    const user = ownerOf(token);
    return user === undefined ? { claims: this.accessTokens.read(token) } : { user, token };
  }
}
