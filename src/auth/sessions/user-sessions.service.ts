import { Injectable } from '@nestjs/common';
import { userOf } from '../../common/request/user-of';
import { Database } from '../../database';
import type { Caller } from '../../engine';
import { CredentialRevocation } from '../credential-revocation';
import { END_OTHERS, END_ALL } from './session-sql';
import { timestamp } from '../timestamp';

/** A sign-in as its user sees it, without its tokens or their hashes. */
export interface SessionView {
  readonly id: string;
  /** The User-Agent at sign-in; null without one. */
  readonly device: string | null;
  /** The address of the sign-in; null where unknown. */
  readonly ip: string | null;
  readonly created_at: string;
  /** Accurate to a few minutes. */
  readonly last_seen: string;
  /** When it ends unless it is refreshed before. */
  readonly expires_at: string;
  /** Whether it is the session of the request. */
  readonly current: boolean;
}

/** The most that are listed; all of them can be ended. */
const MAX_LISTED = 100;

const LIST = `
  SELECT id, device, ip, created_at, last_seen, expires_at, id IS NOT DISTINCT FROM $2::uuid AS current
  FROM service_sessions WHERE "user" = $1::uuid AND expires_at > now()
  ORDER BY current DESC, last_seen DESC, id LIMIT ${MAX_LISTED}`;

const END_ONE =
  'DELETE FROM service_sessions WHERE id = $1::uuid AND "user" = $2::uuid RETURNING id';

/**
 * The sessions of a user, listed and ended by themselves or ended by an administrator. The tokens of an ended session
 * are refused from then on.
 */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly database: Database,
    private readonly revocation: CredentialRevocation,
  ) {}

  /** The current one comes first, then those seen last; 100 at most. */
  async list(caller: Caller): Promise<SessionView[]> {
    const values = [userOf(caller), caller.identity.session];
    const rows = await this.database.query<SessionView>(LIST, values);
    return rows.map((row) => ({
      ...row,
      created_at: timestamp(row.created_at),
      last_seen: timestamp(row.last_seen),
      expires_at: timestamp(row.expires_at),
    }));
  }

  /**
   * Ends one of the caller's own, possibly the current one.
   * @throws Forbidden where it is not theirs, or does not exist
   */
  endOne(caller: Caller, id: string): Promise<void> {
    return this.revocation.revokeOwn(caller, id, { statement: END_ONE });
  }

  /** Ends all of the caller's except the current one. */
  async endOthers(caller: Caller): Promise<void> {
    const values = [[userOf(caller)], caller.identity.session];
    await this.database.retriedTransaction((tx) => tx.query(END_OTHERS, values));
  }

  /**
   * Ends all of a user's, including the caller's current one if it is theirs.
   * @throws Forbidden for a caller who may not update the user or does not hold all that the user has, and for a
   * missing user
   */
  async endAllOf(caller: Caller, user: string): Promise<void> {
    await this.revocation.revokeAll(caller, user, {
      action: 'sessions_ended',
      statement: END_ALL,
    });
  }
}
