import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidToken } from '../common/errors';
import { Database, type Queries } from '../database';
import { FIND, ISSUE, RECENT, REDEEM, REDEEM_ONE_OF, REVOKE, SWEEP } from './one-time-token-sql';

/** What a mailed token is for. One of another purpose is as unknown as one that was made up. */
export type OneTimePurpose = 'password-reset' | 'verify-email' | 'invite';

/** Whose a token is, for what, and what it is bound to. */
export interface Binding {
  readonly purpose: OneTimePurpose;
  readonly user: string;
  /** A secret or a state that the token is to replace, as a password's hash. Null where there is none yet. */
  readonly bound: string | null;
}

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/**
 * Tokens that are mailed and serve once: random, stored as their hash alone. Whoever uses one locks its user first and
 * the token then, here and wherever one is revoked: nobody waits in a circle.
 */
@Injectable()
export class OneTimeTokens {
  constructor(private readonly database: Database) {}

  /**
   * @param lifetime in milliseconds
   * @returns the token, which nobody can find out again
   */
  async issue(tx: Queries, { purpose, user, bound }: Binding, lifetime: number): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await tx.query(SWEEP);
    await tx.query(ISSUE, [hashOf(purpose, token), purpose, user, digest(bound), lifetime]);
    return token;
  }

  /** How many tokens that still serve the user was given within so many milliseconds, bound to this or, without it, to anything. */
  async countSince(
    tx: Queries,
    { purpose, user, bound }: Omit<Binding, 'bound'> & Partial<Pick<Binding, 'bound'>>,
    span: number,
  ): Promise<number> {
    const to = bound === undefined ? null : digest(bound);
    const [row] = await tx.query<{ count: number }>(RECENT, [user, purpose, to, span]);
    return row?.count ?? 0;
  }

  /**
   * Looks without using it up.
   * @returns whose it is
   * @throws InvalidToken for one that is unknown, expired, used or of another purpose
   */
  async find(purpose: OneTimePurpose, token: string): Promise<string> {
    const [row] = FORM.test(token)
      ? await this.database.query<{ user: string }>(FIND, [hashOf(purpose, token), purpose])
      : [];
    if (!row) throw new InvalidToken({});
    return row.user;
  }

  /**
   * Uses the token up; of many at once one succeeds. The user's row is locked by then.
   * @throws InvalidToken as `find` does, and where what it is bound to has changed
   */
  async redeem(tx: Queries, binding: Binding, token: string): Promise<void> {
    const { purpose, user, bound } = binding;
    const values = [hashOf(purpose, token), purpose, user, digest(bound)];
    const used = await tx.query(REDEEM, values);
    if (used.length === 0) throw new InvalidToken({});
  }

  /**
   * The same for a token that may be bound to any of several states.
   * @returns the one that it is bound to
   * @throws InvalidToken as `redeem` does
   */
  async redeemOneOf<T>(
    tx: Queries,
    { purpose, user }: Omit<Binding, 'bound'>,
    token: string,
    states: ReadonlyMap<string, T>,
  ): Promise<T> {
    const digests = new Map([...states].map(([bound, state]) => [digest(bound), state]));
    const values = [hashOf(purpose, token), purpose, user, [...digests.keys()]];
    const [used] = await tx.query<{ bound: string }>(REDEEM_ONE_OF, values);
    const state = used && digests.get(used.bound);
    if (state === undefined) throw new InvalidToken({});
    return state;
  }

  /** Voids all that the user was sent for this purpose. The user's row is locked by then. */
  async revoke(tx: Queries, purpose: OneTimePurpose, user: string): Promise<void> {
    await tx.query(REVOKE, [user, purpose]);
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = (purpose: OneTimePurpose, token: string): string => sha256(`${purpose} ${token}`);
/** Null is bound as well, and is told from every text. */
const digest = (bound: string | null): string => sha256(bound === null ? '' : `=${bound}`);
