import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import type { Exchange } from '../common/http/exchange';
import { readCookie } from './cookies';
import { CsrfCheck } from './csrf-check';
import { AppConfig } from '../config/app-config';

const NAMES = { refresh: 'service_refresh_token', session: 'service_session_token' } as const;

type TokenCookie = keyof typeof NAMES;
const KINDS: readonly TokenCookie[] = ['refresh', 'session'];

/** The token cookies of a browser. */
export type CookieTokens = Readonly<Partial<Record<TokenCookie, string>>>;

/** The session cookie as it was sent; code that relies on it must ask the CSRF check first. */
export const sessionCookieOf = (request: Request): string | undefined =>
  readCookie(request, NAMES.session);

/** The cookies that hold tokens. No script can read them. */
@Injectable()
export class TokenCookies {
  /** Cookies set in answers that are not sent yet: one request may sign in several times. */
  private readonly pending = new WeakMap<Response, CookieTokens>();

  constructor(
    private readonly csrf: CsrfCheck,
    private readonly config: AppConfig,
  ) {}

  /**
   * The browser's cookies, as changed by the pending answer.
   * @throws Forbidden where another site's page may have sent the request: it must neither use nor get cookies
   */
  tokensOf(exchange: Exchange): CookieTokens {
    this.csrf.refuseForged(exchange.request);
    return this.heldBy(exchange);
  }

  areSent(exchange: Exchange): boolean {
    return Object.keys(this.heldBy(exchange)).length > 0;
  }

  /** The same where other evidence shows that no other site's page sent the request. */
  heldBy({ request, response }: Exchange): CookieTokens {
    const pending = this.pending.get(response);
    if (pending) return pending;
    const sent = KINDS.map((kind) => [kind, readCookie(request, NAMES[kind])] as const);
    return Object.fromEntries(sent.filter(([, token]) => token !== undefined));
  }

  /** Removes the other one of the two: it would belong to a session that the browser has left. */
  set({ request, response }: Exchange, kind: TokenCookie, token: string): void {
    const other = kind === 'refresh' ? 'session' : 'refresh';
    const held = this.pending.get(response)?.[other] ?? readCookie(request, NAMES[other]);
    if (held !== undefined) this.drop(response, other);
    const { refreshTokenTtl, sessionTtl } = this.config;
    const maxAge = kind === 'refresh' ? refreshTokenTtl : sessionTtl;
    response.cookie(NAMES[kind], token, { ...this.attributes(), maxAge });
    this.pending.set(response, { [kind]: token });
  }

  clear(response: Response): void {
    for (const kind of KINDS) this.drop(response, kind);
    this.pending.set(response, {});
  }

  private drop(response: Response, kind: TokenCookie): void {
    response.clearCookie(NAMES[kind], this.attributes());
  }

  private attributes(): CookieOptions {
    const { cookieSecure, cookieSameSite, cookieDomain } = this.config;
    return {
      httpOnly: true,
      path: '/',
      secure: cookieSecure,
      sameSite: cookieSameSite,
      ...(cookieDomain !== undefined && { domain: cookieDomain }),
    };
  }
}
