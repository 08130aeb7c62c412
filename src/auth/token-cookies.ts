import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { readCookie } from '../common/request/cookies';
import { ForgeryCheck } from '../common/request/forgery';
import { AppConfig } from '../config/app-config';

const NAMES = { refresh: 'service_refresh_token', session: 'service_session_token' } as const;

export type TokenCookie = keyof typeof NAMES;
const KINDS: readonly TokenCookie[] = ['refresh', 'session'];

/** What a browser sent of the two. */
export type SentTokens = Readonly<Partial<Record<TokenCookie, string>>>;

/** The session cookie as it was sent; who takes it for somebody's word asks the forgery check first. */
export const sessionCookieOf = (request: Request): string | undefined =>
  readCookie(request, NAMES.session);

/** The cookies that hold tokens. No script sees them. */
@Injectable()
export class TokenCookies {
  constructor(
    private readonly forgery: ForgeryCheck,
    private readonly config: AppConfig,
  ) {}

  /** @throws Forbidden where another site's page may have sent the request: it shall neither use nor get cookies */
  sentBy(request: Request): SentTokens {
    this.forgery.refuseForged(request);
    const sent = KINDS.map((kind) => [kind, readCookie(request, NAMES[kind])] as const);
    return Object.fromEntries(sent.filter(([, token]) => token !== undefined));
  }

  /** One of the two at a time: the other would speak for a session that the browser has left. */
  set(response: Response, kind: TokenCookie, token: string): void {
    const { refreshTokenTtl, sessionTtl } = this.config;
    const maxAge = kind === 'refresh' ? refreshTokenTtl : sessionTtl;
    response.cookie(NAMES[kind], token, { ...this.attributes(), maxAge });
    const other = NAMES[kind === 'refresh' ? 'session' : 'refresh'];
    const left = readCookie(response.req, other) !== undefined;
    if (left) response.clearCookie(other, this.attributes());
  }

  clear(response: Response): void {
    for (const kind of KINDS) response.clearCookie(NAMES[kind], this.attributes());
  }

  private attributes(): CookieOptions {
    const { cookieSecure, cookieSameSite, cookieDomain } = this.config;
    return {
      ...{ httpOnly: true, path: '/', secure: cookieSecure, sameSite: cookieSameSite },
      ...(cookieDomain !== undefined && { domain: cookieDomain }),
    };
  }
}
