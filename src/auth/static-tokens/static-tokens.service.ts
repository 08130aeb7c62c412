import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ActivityLog, actorOf } from '../../activity';
import { InvalidPayload } from '../../common/errors';
import { userOf } from '../../common/request/user-of';
import { Database, type Tx } from '../../database';
import { type Caller, parseTimestamp } from '../../engine';
import { attachedPolicies } from '../../rules';
import { Reauthentication } from '../../users';
import { CredentialRevocation } from '../credential-revocation';
import { digest } from '../sessions/refresh-tokens';
import { timestamp } from '../timestamp';
import { COUNT, END_ONE, END_TOKENS, INSERT, LIST, LOCK_USER, NARROW } from './static-token-sql';
import type { StaticTokenInput } from './static-tokens.inputs';
import { makeStaticToken } from './token-form';

/** A static token as its user sees it, without the token or its hash. */
export interface StaticTokenView {
  readonly id: string;
  readonly name: string;
  /** The ids of the policies that it includes; null: all of its user's. */
  readonly policies: readonly string[] | null;
  readonly created_at: string;
  /** Accurate to a few minutes; null: not yet used. */
  readonly last_used: string | null;
  /** Null: never. */
  readonly expires_at: string | null;
}

export interface NewStaticToken extends StaticTokenView {
  /** Shown only this once. */
  readonly token: string;
}

/** Per user, expired ones included. */
const MAX_TOKENS = 50;

/** The properties of a new token to store. */
interface TokenToStore {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly policies: readonly string[] | null;
  readonly expires_at: string | null;
}

/**
 * The static tokens of a user: made, listed and ended by themselves, or all ended at once by a caller with power over
 * them.
 */
@Injectable()
export class StaticTokensService {
  constructor(
    private readonly database: Database,
    private readonly reauthentication: Reauthentication,
    private readonly revocation: CredentialRevocation,
    private readonly activity: ActivityLog,
  ) {}

  /** The latest first. */
  async list(caller: Caller): Promise<StaticTokenView[]> {
    const rows = await this.database.query<StaticTokenView>(LIST, [userOf(caller)]);
    return rows.map((row) => ({
      ...row,
      created_at: timestamp(row.created_at),
      last_used: row.last_used && timestamp(row.last_used),
      expires_at: row.expires_at && timestamp(row.expires_at),
    }));
  }

  /**
   * @throws InvalidPayload; RequestsExceeded after too many wrong passwords or one-time passwords; InvalidCredentials where
   * the session has ended since they were re-authenticated
   */
  async create(
    caller: Caller,
    { name, expires_at, policies, ...credentials }: StaticTokenInput,
  ): Promise<NewStaticToken> {
    const expires = expires_at === undefined ? null : endOf(expires_at);
    const user = userOf(caller);
    await this.reauthentication.check(caller, credentials);
    const token = makeStaticToken(user);
    const only = policies ? [...new Set(policies.map((id) => id.toLowerCase()))].toSorted() : null;
    const shown = { id: randomUUID(), name, policies: only, expires_at: expires };
    const toStore = { ...shown, hash: digest(token) };
    const createdAt = await this.database.retriedTransaction(async (tx) => {
      await tx.query(LOCK_USER, [user]);
      await this.reauthentication.confirm(caller, tx);
      const at = await this.insert(tx, user, toStore);
      await this.activity.record(tx, { action: 'token_created', account: user }, actorOf(caller));
      return at;
    });
    return { ...shown, token, created_at: timestamp(createdAt), last_used: null };
  }

  /**
   * Ends one of the caller's own.
   * @throws Forbidden where it is not theirs, or does not exist
   */
  endOne(caller: Caller, id: string): Promise<void> {
    return this.revocation.revokeOwn(caller, id, { action: 'token_ended', statement: END_ONE });
  }

  /**
   * Ends all of a user's.
   * @throws Forbidden for a caller who may not update the user or does not hold all that the user has, and for a
   * missing user
   */
  async endAllOf(caller: Caller, user: string): Promise<void> {
    await this.revocation.revokeAll(caller, user, {
      action: 'tokens_ended',
      statement: END_TOKENS,
    });
  }

  /** @returns when it was made */
  private async insert(tx: Tx, user: string, toStore: TokenToStore): Promise<string> {
    const { id, hash, name, policies, expires_at } = toStore;
    const [counted] = await tx.query<{ count: number }>(COUNT, [user]);
    if ((counted?.count ?? 0) >= MAX_TOKENS) {
      throw new InvalidPayload({ reason: `there are ${MAX_TOKENS} tokens already: delete one` });
    }
    const values = [id, user, hash, name, policies !== null, expires_at];
    const [stored] = await tx.query<{ created_at: string }>(INSERT, values);
    if (!stored) throw new Error('A static token was not stored');
    if (policies !== null) await this.narrow(tx, user, id, policies);
    return stored.created_at;
  }

  /** A policy that the user does not hold is refused like a missing one. */
  private async narrow(
    tx: Tx,
    user: string,
    token: string,
    policies: readonly string[],
  ): Promise<void> {
    const attached = await attachedPolicies(tx, user, new Date());
    const stored = policies.every((id) => attached.has(id))
      ? await tx.query(NARROW, [token, policies])
      : [];
    if (stored.length === policies.length) return;
    throw new InvalidPayload({ field: 'policies', reason: 'names a policy that you do not hold' });
  }
}

function endOf(sent: string): string {
  const end = parseTimestamp(sent)?.value;
  if (end !== undefined && Date.parse(end) > Date.now()) return end;
  throw new InvalidPayload({ field: 'expires_at', reason: 'must be in the future' });
}
