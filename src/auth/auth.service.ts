import { Injectable } from '@nestjs/common';
import { InvalidCredentials, InvalidPayload } from '../common/errors';
import type { Account } from './accounts';
import type { LoginInput, Mode, TokenInput } from './auth.inputs';
import { clientOf } from './client';
import { Sessions } from './sessions';
import { type Exchange, type HeldTokens, TokenCookies } from './token-cookies';
import { TokenExchange, type Tokens } from './token-exchange';

@Injectable()
export class AuthService {
  constructor(
    private readonly sessions: Sessions,
    private readonly exchange: TokenExchange,
    private readonly cookies: TokenCookies,
  ) {}

  /** Begins a new session, always. The one that the browser held ends: nobody could sign out of it any more. */
  async signIn(
    account: Account,
    { mode = 'json' }: Pick<LoginInput, 'mode'>,
    exchange: Exchange,
  ): Promise<Tokens> {
    const left = mode === 'json' ? {} : this.cookies.heldBy(exchange);
    const lifetime = this.exchange.lifetimeOf(mode);
    const live = await this.sessions.begin(account, clientOf(exchange.request), lifetime);
    await this.leave(left);
    return this.exchange.handOver(live, mode, exchange);
  }

  /** @throws InvalidCredentials, InvalidPayload, Forbidden */
  async refresh(input: TokenInput, exchange: Exchange): Promise<Tokens> {
    const { mode, token, packed } = choose(input, this.heldWith(input, exchange));
    const refreshToken = packed ? this.exchange.refreshTokenOf(token) : token;
    const live = await this.sessions.rotate(refreshToken, this.exchange.lifetimeOf(mode));
    return this.exchange.handOver(live, mode, exchange);
  }

  /** By cookie: whatever the browser holds is over and gone, even if nothing could be read of it. */
  async signOut(input: TokenInput, exchange: Exchange): Promise<void> {
    const held = this.heldWith(input, exchange);
    const { mode } = choose(input, held);
    // First what may be refused: then nothing has been done.
    if (input.refresh_token !== undefined) await this.sessions.end(input.refresh_token);
    if (mode !== 'json') this.cookies.clear(exchange.response);
    await this.leave(held);
  }

  /** Whoever sends their token in the body, for an answer in the body, has nothing to do with cookies. */
  private heldWith({ refresh_token, mode }: TokenInput, exchange: Exchange): HeldTokens {
    const plain = mode === 'json' || (mode === undefined && refresh_token !== undefined);
    return plain ? {} : this.cookies.heldBy(exchange);
  }

  private async leave({ refresh, session }: HeldTokens): Promise<void> {
    if (refresh !== undefined) await this.endIfOurs(() => refresh);
    if (session !== undefined) await this.endIfOurs(() => this.exchange.refreshTokenOf(session));
  }

  private async endIfOurs(token: () => string): Promise<void> {
    try {
      await this.sessions.end(token());
    } catch (error) {
      // Whoever held something stale or strange is out already.
      if (!(error instanceof InvalidCredentials)) throw error;
    }
  }
}

interface Chosen {
  readonly mode: Mode;
  readonly token: string;
  /** The token is that of a session cookie. */
  readonly packed: boolean;
}

/** What is in the body comes first. A session cookie never becomes a token that a script could read. */
function choose({ refresh_token, mode }: TokenInput, { refresh, session }: HeldTokens): Chosen {
  if (refresh_token !== undefined) {
    return { mode: mode ?? 'json', token: refresh_token, packed: false };
  }
  if (mode !== 'session' && refresh !== undefined) {
    return { mode: 'cookie', token: refresh, packed: false };
  }
  const token = session ?? refresh;
  if (mode !== 'cookie' && token !== undefined) {
    return { mode: 'session', token, packed: session !== undefined };
  }
  throw new InvalidPayload({ field: 'refresh_token', reason: 'is missing' });
}
