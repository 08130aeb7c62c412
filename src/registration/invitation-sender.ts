import { Injectable } from '@nestjs/common';
import { actorOf } from '../activity';
import { Database } from '../database';
import type { Caller } from '../engine';
import { lockAddresses, UnconfirmedUsers } from '../users';
import { InvitationMails } from './invitation-mails';
import { FREE } from './registration-sql';
import { UserWrites } from './user-writes';

/** The people to invite, by their addresses and users. */
export interface Invitees {
  /** Each address once. */
  readonly all: readonly string[];
  /** Nobody has the address, or somebody who has not confirmed that it is theirs. */
  readonly unregistered: readonly string[];
  /** Ids of users who have not accepted yet. */
  readonly invited: readonly string[];
}

/** An invitation to be sent out. */
interface Invitation {
  readonly role: string;
  readonly url: string;
}

/** Creates the invited users, and mails to them, in one transaction. */
@Injectable()
export class InvitationSender {
  constructor(
    private readonly database: Database,
    private readonly mails: InvitationMails,
    private readonly users: UserWrites,
    private readonly unconfirmed: UnconfirmedUsers,
  ) {}

  /** False where nothing can be mailed. */
  get isAvailable(): boolean {
    return this.mails.areAvailable;
  }

  /** Creates the missing users, and mails to all; all or none. */
  async send(
    caller: Caller,
    { all, unregistered, invited }: Invitees,
    { role, url }: Invitation,
  ): Promise<void> {
    await this.dryRun(caller, all, role);
    const how = { url, actor: actorOf(caller) };
    if (unregistered.length === 0) {
      await this.database.retriedTransaction(async (tx) => {
        await lockAddresses(tx, all);
        await this.mails.send(tx, invited, how);
      });
      return;
    }
    await this.users.create(
      caller,
      unregistered.map((email) => ({ email, role })),
      {
        before: async (tx) => {
          await lockAddresses(tx, all);
          for (const email of unregistered)
            await this.unconfirmed.deleteByEmail(tx, email, how.actor);
        },
        status: 'invited',
        created: (users, tx) => this.mails.send(tx, [...users, ...invited], how),
      },
    );
  }

  /** Checks every address as if it were new, so that a refusal by rules does not reveal which ones have a user. */
  private async dryRun(caller: Caller, all: readonly string[], role: string): Promise<void> {
    if (caller.administrator) return;
    await this.users.create(
      caller,
      all.map((email) => ({ email, role })),
      {
        before: async (tx) => {
          await lockAddresses(tx, all);
          await tx.query(FREE, [all]);
        },
        status: 'invited',
      },
      { dryRun: true },
    );
  }
}
