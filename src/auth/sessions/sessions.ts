import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database';
import { InvalidCredentials } from '../../common/errors';
import type { Account } from '../accounts';
import type { Client } from '../client';
import { digest, type RefreshClaims, RefreshTokens } from './refresh-tokens';
import { BEGIN, BEGIN_EXTERNAL, BEGIN_TWO_FACTOR, END, GRACE, ROTATE, STATE } from './session-sql';

/** A session and the refresh token in force. */
export interface IssuedSession {
  readonly user: string;
  readonly session: string;
  /** How often its token had been rotated when this one was issued. */
  readonly generation: number;
  readonly refreshToken: string;
}

/** A user identified by a provider. */
export interface ExternalAccount {
  readonly user: string;
  readonly provider: string;
  /** As it is stored. */
  readonly identifier: string;
}

interface SessionState {
  readonly user: string;
  readonly generation: number;
  readonly graced: boolean;
  readonly alive: boolean;
}

/** Sign-ins, each with its family of refresh tokens. */
@Injectable()
export class Sessions {
  constructor(
    private readonly database: Database,
    private readonly tokens: RefreshTokens,
  ) {}

  /**
   * @param lifetime in milliseconds, unless it is rotated before
   * @throws InvalidCredentials where the user was changed since the check
   */
  async begin(
    { user, password, renewed, matchAgain, secondFactor }: Account,
    client: Client,
    lifetime: number,
  ): Promise<IssuedSession> {
    const statement = secondFactor ? BEGIN_TWO_FACTOR : BEGIN;
    try {
      return await this.start(statement, user, [password, renewed], client, lifetime);
    } catch (error) {
      if (!matchAgain || !(error instanceof InvalidCredentials)) throw error;
      return this.start(statement, user, [await matchAgain(), null], client, lifetime);
    }
  }

  /**
   * The same for a user identified by their provider.
   * @throws InvalidCredentials
   */
  async beginExternal(
    { user, provider, identifier }: ExternalAccount,
    client: Client,
    lifetime: number,
  ): Promise<IssuedSession> {
    return this.start(BEGIN_EXTERNAL, user, [provider, identifier], client, lifetime);
  }

  /**
   * Returns the successor of a refresh token, whatever has become of that since. A token that was rotated longer ago
   * than the grace period must have been stolen: its family ends.
   * @param lifetime of the session from now, in milliseconds
   * @throws InvalidCredentials
   */
  async rotate(token: string, lifetime: number): Promise<IssuedSession> {
    const { session, generation } = this.recognise(token);
    const next = { session, generation: generation + 1 };
    const refreshToken = this.tokens.issue(next);
    const [rotated] = await this.database.query<{ user: string }>(ROTATE, [
      session,
      generation,
      this.tokens.digests({ session, generation }),
      digest(refreshToken),
      lifetime,
    ]);
    const user = rotated?.user ?? (await this.refuseReplay({ session, generation }));
    return { user, ...next, refreshToken };
  }

  /** Ends the session of the token for good; an ended session is no error. */
  async end(token: string): Promise<void> {
    const { session } = this.recognise(token);
    await this.database.retriedTransaction((tx) => tx.query(END, [session]));
  }

  /** @param unchanged the two values that the statement compares with the user's row */
  private async start(
    statement: string,
    user: string,
    unchanged: readonly [unknown, unknown],
    client: Client,
    lifetime: number,
  ): Promise<IssuedSession> {
    const session = randomUUID();
    const generation = 0;
    const refreshToken = this.tokens.issue({ session, generation });
    const inserted = await this.database.query(statement, [
      user,
      ...unchanged,
      session,
      digest(refreshToken),
      lifetime,
      client.ip,
      client.device,
      client.origin,
    ]);
    if (inserted.length === 0) {
      throw new InvalidCredentials({}, { cause: new Error('the user was changed meanwhile') });
    }
    return { user, session, generation, refreshToken };
  }

  private recognise(token: string): RefreshClaims {
    const claims = this.tokens.read(token);
    if (!claims) throw new InvalidCredentials({});
    return claims;
  }

  /** @returns the user, if the token was in force a moment ago */
  private async refuseReplay({ session, generation }: RefreshClaims): Promise<string> {
    const user = await this.database.retriedTransaction(async (tx) => {
      const [row] = await tx.query<SessionState>(STATE, [session, generation, GRACE]);
      if (!row?.alive || generation >= row.generation) return undefined;
      if (row.graced) return row.user;
      await tx.query(END, [session]);
      return undefined;
    });
    if (user === undefined) throw new InvalidCredentials({});
    return user;
  }
}
