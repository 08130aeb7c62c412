import { Injectable } from '@nestjs/common';
import type { Queries } from '../database';
import type { Actor } from './actor';

/** Operations on accounts that are not writes of a row. */
type AccountAction =
  | 'login'
  | 'login_failed'
  | 'password_reset'
  | 'tfa_enabled'
  | 'tfa_disabled'
  | 'sessions_ended'
  | 'token_created'
  | 'token_ended'
  | 'tokens_ended'
  | 'register'
  | 'verify'
  | 'invite'
  | 'accept'
  // A pending registration that an invitation replaced.
  | 'delete';

/** An operation on a user, or an attempt at one. */
interface AccountEntry {
  readonly action: AccountAction;
  /** The user; null where there is no such user, so that nothing is stored about who was meant. */
  readonly account: string | null;
  /** Names of fields that the operation also changed, without their values. */
  readonly fields?: readonly string[];
}

const RECORD = `
  INSERT INTO service_activity (action, collection, item, fields, "user", ip, user_agent, origin, comment)
  VALUES ($1, $2, $3, $4::text[], $5::uuid, $6, $7, $8, $9)`;

/** Logs operations on accounts, in addition to the writes of their rows, which are logged anyway. */
@Injectable()
export class ActivityLog {
  /** @param queries those of the transaction of the operation, so that either both are stored or neither */
  async record(
    queries: Queries,
    { action, account, fields = [] }: AccountEntry,
    { user, ip, userAgent, origin, comment }: Actor,
  ): Promise<void> {
    const target = account === null ? [null, null] : ['service_users', account];
    await queries.query(RECORD, [action, ...target, fields, user, ip, userAgent, origin, comment]);
  }
}
