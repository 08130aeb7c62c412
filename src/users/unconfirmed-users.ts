import { Injectable } from '@nestjs/common';
import { type Actor, ActivityLog } from '../activity';
import { Collections } from '../collections';
import type { Queries } from '../database';
import { isReferredTo } from '../repository';
import { foldedEmail } from './folded-email';

/**
 * A registration whose address nobody has confirmed. A user whom somebody has created, or who was ever active, is none,
 * whatever their status is now.
 */
const NEVER_CONFIRMED = "registered AND status = 'unverified' AND provider = 'default'";
const FIND = `
  SELECT id FROM service_users
  WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')} AND ${NEVER_CONFIRMED} FOR UPDATE`;
const IS_REPLACEABLE = `SELECT FROM service_users WHERE id = $1::uuid AND ${NEVER_CONFIRMED}`;
const DELETE = 'DELETE FROM service_users WHERE id = $1::uuid';

/** Registrations whose address nobody has confirmed. */
@Injectable()
export class UnconfirmedUsers {
  constructor(
    private readonly collections: Collections,
    private readonly log: ActivityLog,
  ) {}

  /** Whether the user is only a registration that was never confirmed, so that a new user may take their place. */
  async isReplaceable(queries: Queries, user: string): Promise<boolean> {
    const found = await queries.query(IS_REPLACEABLE, [user]);
    return found.length > 0 && !(await this.isKept(queries, user));
  }

  /**
   * Whether rows of a team's collections refer to the user, who is then more than a registration: a deletion would
   * delete those rows, or fail.
   */
  private isKept(queries: Queries, user: string): Promise<boolean> {
    const { registry } = this.collections;
    const users = registry.table('service_users');
    const ofTeams = registry
      .keysTo(users)
      .filter(({ holder }) => !holder.name.startsWith('service_'));
    return isReferredTo(users, user, ofTeams, queries);
  }

  /**
   * Deletes the one of an address, with all its links, unless it is kept: it makes way for the person who is known to
   * own the address. Call it once the address is locked.
   */
  async deleteByEmail(tx: Queries, email: string | null, actor: Actor): Promise<void> {
    const [found] = await tx.query<{ id: string }>(FIND, [email]);
    if (!found || (await this.isKept(tx, found.id))) return;
    await tx.query(DELETE, [found.id]);
    await this.log.record(tx, { action: 'delete', account: found.id }, actor);
  }
}
