import { Injectable } from '@nestjs/common';
import { Collections } from '../collections';
import { Forbidden } from '../common/errors';
import { Database } from '../database';
import { type Caller, UUID_PATTERN } from '../engine';
import { Privileges } from '../privileges';

const USER = 'SELECT id FROM service_users WHERE id = $1::uuid';
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** Ending at once, by somebody who has power over a user, all that speaks for them. */
@Injectable()
export class AccountEnds {
  constructor(
    private readonly database: Database,
    private readonly collections: Collections,
    private readonly privileges: Privileges,
  ) {}

  /**
   * @param statement ends it, given the users as its only value
   * @throws Forbidden for who may not update the user or does not hold all that the user has, where there is none, and for
   * a static token of the user's own: that ends nothing of its kind
   */
  async end(caller: Caller, id: string, statement: string): Promise<void> {
    const user = id.toLowerCase();
    if (!UUID.test(user) || isOwnToken(caller, user)) throw new Forbidden({});
    if (!(await this.collections.canAccess(caller, 'service_users', 'update', user))) {
      throw new Forbidden({});
    }
    await this.database.transaction(async (tx) => {
      await this.privileges.refuseUnheld(tx, caller, { user });
      const found = await tx.query(USER, [user]);
      if (found.length === 0) throw new Forbidden({});
      await tx.query(statement, [[user]]);
    });
  }
}

const isOwnToken = ({ identity }: Caller, user: string): boolean =>
  identity.staticToken !== null && identity.user === user;
