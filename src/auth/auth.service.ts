import { Injectable } from '@nestjs/common';
import { InvalidCredentials, InvalidPayload } from '../common/errors';
import type { Account } from './accounts';
import type { LoginInput, Mode, TokenInput } from './auth.inputs';
import { clientOf } from './client';
import { Sessions } from './sessions/sessions';
import type { Exchange } from '../common/http/exchange';
import { type CookieTokens, TokenCookies } from './token-cookies';
import { TokenIssuer, type Tokens } from './token-issuer';

@Injectable()
export class AuthService {
  constructor(
    private readonly sessions: Sessions,
    private readonly issuer: TokenIssuer,
    private readonly cookies: TokenCookies,
  ) {}

  /** Always begins a new session. The browser's previous one ends: no one could sign out of it any more. */
  async signIn(
    account: Account,
    { mode = 'json' }: Pick<LoginInput, 'mode'>,
    exchange: Exchange,
  ): Promise<Tokens> {
    const previousSessions = mode === 'json' ? {} : this.cookies.tokensOf(exchange);
    const lifetime = this.issuer.lifetimeOf(mode);
    const issued = await this.sessions.begin(account, clientOf(exchange.request), lifetime);
    await this.endSessions(previousSessions);
    return this.issuer.issue(issued, mode, exchange);
  }

  /** @throws InvalidCredentials, InvalidPayload, Forbidden */
  async refresh(input: TokenInput, exchange: Exchange): Promise<Tokens> {
    const { mode, token, fromSessionCookie } = chooseToken(
      input,
      this.cookieTokens(input, exchange),
    );
    const refreshToken = fromSessionCookie ? this.issuer.refreshTokenOf(token) : token;
    const issued = await this.sessions.rotate(refreshToken, this.issuer.lifetimeOf(mode));
    return this.issuer.issue(issued, mode, exchange);
  }

  /**
   * A token that is not ours counts as signed out, and so does a browser without cookies. With cookies, the browser's
   * session has ended and its cookies are removed, even if they could not be read.
   * @throws InvalidPayload where nothing says what to end; Forbidden
   */
  async signOut(input: TokenInput, exchange: Exchange): Promise<void> {
    const cookies = this.cookieTokens(input, exchange);
    const { refresh_token: token } = input;
    const mode = usesCookies(input) ? input.mode : chooseToken(input, cookies).mode;
    if (token !== undefined) await this.endIfOurs(() => token);
    if (mode !== 'json') this.cookies.clear(exchange.response);
    await this.endSessions(cookies);
  }

  /** Ends the sessions of a browser's cookies; stale or foreign ones have ended already. */
  async endSessions({ refresh, session }: CookieTokens): Promise<void> {
    if (refresh !== undefined) await this.endIfOurs(() => refresh);
    if (session !== undefined) await this.endIfOurs(() => this.issuer.refreshTokenOf(session));
  }

  /** A client that sends its token in the body, for an answer in the body, does not use cookies. */
  private cookieTokens({ refresh_token, mode }: TokenInput, exchange: Exchange): CookieTokens {
    const isInBody = mode === 'json' || (mode === undefined && refresh_token !== undefined);
    // Without a mode, a token and cookies there is nothing that another site's page could misuse.
    const isHarmless = mode === undefined && !this.cookies.areSent(exchange);
    return isInBody || isHarmless ? {} : this.cookies.tokensOf(exchange);
  }

  private async endIfOurs(token: () => string): Promise<void> {
    try {
      await this.sessions.end(token());
    } catch (error) {
      // A stale or foreign token counts as signed out.
      if (!(error instanceof InvalidCredentials)) throw error;
    }
  }
}

interface ChosenToken {
  readonly mode: Mode;
  readonly token: string;
  /** The token is from a session cookie. */
  readonly fromSessionCookie: boolean;
}

const usesCookies = ({ mode }: TokenInput): boolean => mode === 'cookie' || mode === 'session';

/** The body takes precedence. A session cookie is never converted to a token that a script could read. */
function chooseToken(
  { refresh_token, mode }: TokenInput,
  { refresh, session }: CookieTokens,
): ChosenToken {
  if (refresh_token !== undefined) {
    return { mode: mode ?? 'json', token: refresh_token, fromSessionCookie: false };
  }
  if (mode !== 'session' && refresh !== undefined) {
    return { mode: 'cookie', token: refresh, fromSessionCookie: false };
  }
  const token = session ?? refresh;
  if (mode !== 'cookie' && token !== undefined) {
    return { mode: 'session', token, fromSessionCookie: session !== undefined };
  }
  throw new InvalidPayload({ field: 'refresh_token', reason: 'is missing' });
}
