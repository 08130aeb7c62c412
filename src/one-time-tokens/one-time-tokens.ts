import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidToken } from '../common/errors';
import { Database, type Queries } from '../database';
import {
  FIND,
  ISSUE,
  RECENT,
  REDEEM,
  REDEEM_ONE_OF,
  REPLACE,
  REVOKE,
  SWEEP,
} from './one-time-token-sql';

/** The purpose of a mailed token. For any other purpose it is invalid. */
type OneTimePurpose = 'password-reset' | 'verify-email' | 'invite';

/** The user and purpose of a token, and what it is bound to. */
interface Binding {
  readonly purpose: OneTimePurpose;
  readonly user: string;
  /** A secret or state that the token will replace, such as the hash of a password. Null where there is none yet. */
  readonly bound: string | null;
}

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

/**
 * Tokens that are mailed and can be used once: random, and stored only as hashes. To prevent deadlocks, the user's row
 * is always locked before their tokens, also where tokens are revoked.
 */
@Injectable()
export class OneTimeTokens {
  constructor(private readonly database: Database) {}

  /**
   * Stores a new token.
   * @param lifetime in milliseconds
   * @returns the token, which cannot be read again
   */
  async issue(tx: Queries, { purpose, user, bound }: Binding, lifetime: number): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await tx.query(SWEEP);
    await tx.query(ISSUE, [hashOf(purpose, token), purpose, user, digest(bound), lifetime]);
    return token;
  }

  /**
   * Counts the user's valid tokens that were issued within the last milliseconds, bound to this state or, without one,
   * to any; those that were replaced too, within an hour.
   */
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
   * Checks a token without using it up.
   * @returns the id of its user
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
   * Uses the token up; of several simultaneous attempts one succeeds. Call it with the user's row locked.
   * @throws InvalidToken as `find` does, and where the state that it is bound to has changed
   */
  async redeem(tx: Queries, binding: Binding, token: string): Promise<void> {
    const { purpose, user, bound } = binding;
    const values = [hashOf(purpose, token), purpose, user, digest(bound)];
    const used = await tx.query(REDEEM, values);
    if (used.length === 0) throw new InvalidToken({});
  }

  /**
   * The same for a token that may be bound to any of several states.
   * @returns the state that it is bound to
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

  /** Invalidates them like `revoke`, but `countSince` still counts them. Call it with the user's row locked. */
  async replace(tx: Queries, purpose: OneTimePurpose, user: string): Promise<void> {
    await tx.query(REPLACE, [user, purpose]);
  }

  /** Invalidates all tokens of the user for this purpose. Call it with the user's row locked. */
  async revoke(tx: Queries, purpose: OneTimePurpose, user: string): Promise<void> {
    await tx.query(REVOKE, [user, purpose]);
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = (purpose: OneTimePurpose, token: string): string => sha256(`${purpose} ${token}`);
/** A missing state is a state of its own, different from every text. */
const digest = (bound: string | null): string => sha256(bound === null ? '' : `=${bound}`);
