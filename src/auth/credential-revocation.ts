import { Injectable } from '@nestjs/common';
import { ActivityLog, actorOf } from '../activity';
import { Collections } from '../collections';
import { Forbidden } from '../common/errors';
import { userOf } from '../common/request/user-of';
import { Database } from '../database';
import { type Caller, isUuid } from '../engine';
import { Privileges } from '../privileges';

const USER = 'SELECT id FROM service_users WHERE id = $1::uuid';

/** The sessions, or the static tokens, of a user to end. */
interface Revocation {
  /** The action in the log. */
  readonly action: 'sessions_ended' | 'tokens_ended';
  /** Its only parameter is the list of users. */
  readonly statement: string;
}

/** Ends one session or token of the caller's own. */
interface OwnRevocation {
  /** The action in the log, if it is logged. */
  readonly action?: 'token_ended';
  /** Its parameters are the id and the user; it returns a row where there was one. */
  readonly statement: string;
}

/** Ends sessions or tokens at once: one of the caller's own, or all of a user's, by a caller with power over them. */
@Injectable()
export class CredentialRevocation {
  constructor(
    private readonly database: Database,
    private readonly collections: Collections,
    private readonly privileges: Privileges,
    private readonly activity: ActivityLog,
  ) {}

  /** @throws Forbidden where it is not the caller's, or does not exist */
  async revokeOwn(caller: Caller, id: string, { action, statement }: OwnRevocation): Promise<void> {
    const user = userOf(caller);
    if (!isUuid(id)) throw new Forbidden({});
    await this.database.retriedTransaction(async (tx) => {
      const ended = await tx.query(statement, [id, user]);
      if (ended.length === 0) throw new Forbidden({});
      if (action) await this.activity.record(tx, { action, account: user }, actorOf(caller));
    });
  }

  /**
   * @throws Forbidden for a caller who may not update the user or does not hold all that the user has, for a missing
   * user, and for a static token of the user's own, which ends nothing of its kind
   */
  async revokeAll(caller: Caller, id: string, { action, statement }: Revocation): Promise<void> {
    const user = id.toLowerCase();
    if (!isUuid(user) || isOwnToken(caller, user)) throw new Forbidden({});
    if (!(await this.collections.canAccess(caller, 'update', 'service_users', user))) {
      throw new Forbidden({});
    }
    await this.database.retriedTransaction(async (tx) => {
      await this.privileges.refuseUnheld(tx, caller, { user });
      const found = await tx.query(USER, [user]);
      if (found.length === 0) throw new Forbidden({});
      await tx.query(statement, [[user]]);
      await this.activity.record(tx, { action, account: user }, actorOf(caller));
    });
  }
}

const isOwnToken = ({ identity }: Caller, user: string): boolean =>
  identity.staticToken !== null && identity.user === user;
