import { Injectable } from '@nestjs/common';
import { InvalidForeignKey, InvalidPayload, ServiceUnavailable } from '../common/errors';
import { ActivityLog, type Actor, actorOf } from '../activity';
import { isAllowedUrl } from '../common/urls';
import { Collections } from '../collections';
import { AppConfig } from '../config/app-config';
import { Database, type Queries } from '../database';
import type { Caller } from '../engine';
import { Privileges } from '../privileges';
import { type AccountRow, isInvited, isUnverified } from './account-row';
import { InvitationMails } from './invitation-mails';
import { DISPLACE, FREE, INVITEES, ROLE } from './registration-sql';
import type { InviteInput } from './registration.inputs';
import { UserWrites } from './user-writes';

const PAGE = '/admin/accept-invite';
/** Somebody else may make one of the users at the same moment. */
const TRIES = 3;

/** An address as it was sent, and whoever has it. */
type InviteeRow = { readonly sent: string } & (AccountRow | { readonly id: null });

interface Invitees {
  /** Each address once. */
  readonly all: readonly string[];
  /** Nobody has the address, or somebody who has not confirmed that it is theirs. */
  readonly strangers: readonly string[];
  /** Ids of users who have not accepted yet. */
  readonly invited: readonly string[];
}

/** An invitation to be sent out. */
interface Invitation {
  readonly role: string;
  readonly url: string;
}

/** Invites people by mail: a user is made, and whoever holds the token from the mail chooses the password. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly privileges: Privileges,
    private readonly mails: InvitationMails,
    private readonly users: UserWrites,
    private readonly collections: Collections,
    private readonly log: ActivityLog,
  ) {}

  /**
   * All or none. Users whom it does not make are not told from those that it makes: one who is still invited is sent
   * another mail, everybody else is left alone.
   * @throws InvalidPayload for a URL that is not on the list; ServiceUnavailable where nothing can be mailed
   * @throws Forbidden for a role that gives more than the caller has, and whatever else a create throws
   */
  async invite(caller: Caller, { email, role, invite_url }: InviteInput): Promise<void> {
    const url = this.linkOf(invite_url);
    if (!this.mails.areAvailable) {
      throw new ServiceUnavailable({ service: 'mail', reason: 'no mail server is configured' });
    }
    await this.refuseRole(caller, role);
    const addresses = [email].flat();
    let invitees = await this.look(caller, addresses);
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.send(caller, invitees, { role, url });
      } catch (error) {
        const now = await this.look(caller, addresses);
        if (tried === TRIES || areSame(now, invitees)) throw error;
        invitees = now;
      }
    }
  }

  private linkOf(url: string | undefined): string {
    if (url === undefined) return this.config.publicUrl + PAGE;
    if (isAllowedUrl(url, this.config.userInviteUrlAllowList)) return url;
    const reason = 'is not on the list of allowed URLs';
    throw new InvalidPayload({ field: 'invite_url', reason });
  }

  private async refuseRole(caller: Caller, role: string): Promise<void> {
    const known = await this.database.query(ROLE, [role]);
    if (known.length === 0) {
      throw new InvalidForeignKey({ collection: 'service_users', field: 'role' });
    }
    await this.privileges.refuseUnheld(this.database, caller, { role });
  }

  /** Whoever has rights that the caller lacks is left alone, like a user who is active. */
  private async look(caller: Caller, addresses: readonly string[]): Promise<Invitees> {
    const rows = await this.database.query<InviteeRow>(INVITEES, [addresses]);
    const strangers: string[] = [];
    const invited: string[] = [];
    for (const row of rows) {
      if (row.id === null) strangers.push(row.sent);
      else if (!(await this.privileges.holdsAll(this.database, caller, { user: row.id }))) continue;
      else if (isInvited(row)) invited.push(row.id);
      else if (isUnverified(row) && !(await this.isReferredTo(row.id))) strangers.push(row.sent);
    }
    return { all: rows.map(({ sent }) => sent), strangers, invited };
  }

  /** Whoever has rows of a team's collections is more than a registration: they would go too, or hold the user. */
  private async isReferredTo(user: string): Promise<boolean> {
    const { registry } = this.collections;
    const { table: users } = registry.table('service_users');
    const found = [...registry.all()]
      .filter(({ name }) => !name.startsWith('service_'))
      .flatMap(({ name }) => {
        const { table, foreignKeys } = registry.table(name);
        const keys = foreignKeys.filter((key) => key.table === users);
        return keys.map(({ sql }) => `EXISTS (SELECT 1 FROM ${table} WHERE ${sql} = $1::uuid)`);
      });
    if (found.length === 0) return false;
    const [row] = await this.database.query<{ found: boolean }>(
      `SELECT ${found.join(' OR ')} AS found`,
      [user],
    );
    return row?.found === true;
  }

  /** What rules say of an address is said whether or not somebody has it: so nobody learns that. */
  private async rehearse(caller: Caller, all: readonly string[], role: string): Promise<void> {
    if (caller.administrator) return;
    await this.users.create(
      caller,
      all.map((email) => ({ email, role })),
      { before: async ({ email }, tx) => void (await tx.query(FREE, [email])), status: 'invited' },
      { rehearsal: true },
    );
  }

  private async send(
    caller: Caller,
    { all, strangers, invited }: Invitees,
    { role, url }: Invitation,
  ): Promise<void> {
    await this.rehearse(caller, all, role);
    const how = { url, actor: actorOf(caller) };
    if (strangers.length === 0) {
      await this.database.transaction((tx) => this.mails.send(tx, invited, how));
      return;
    }
    await this.users.create(
      caller,
      strangers.map((email) => ({ email, role })),
      {
        before: ({ email }, tx) => this.displace(tx, email, how.actor),
        status: 'invited',
        made: (users, tx) => this.mails.send(tx, [...users, ...invited], how),
      },
    );
  }

  /** What somebody registered with that address and never confirmed makes way, with all its links. */
  private async displace(tx: Queries, email: unknown, actor: Actor): Promise<void> {
    for (const { id } of await tx.query<{ id: string }>(DISPLACE, [email])) {
      await this.log.record(tx, { action: 'delete', account: id }, actor);
    }
  }
}

const areSame = (one: Invitees, other: Invitees): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
