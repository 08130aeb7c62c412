import { Injectable } from '@nestjs/common';
import {
  Forbidden,
  InvalidForeignKey,
  InvalidPayload,
  isClientError,
  ServiceUnavailable,
} from '../common/errors';
import { isAllowedUrl } from '../common/urls';
import { Collections } from '../collections';
import { AppConfig } from '../config/app-config';
import { Database } from '../database';
import { type Caller, isNamed } from '../engine';
import { Privileges } from '../privileges';
import { UnconfirmedUsers } from '../users';
import { type AccountRow, isInvited } from './account-row';
import { InvitationSender, type Invitees } from './invitation-sender';
import { INVITEES, ROLE } from './registration-sql';
import type { InviteInput } from './registration.inputs';

const PAGE = '/admin/accept-invite';
/** Another request may create one of the users at the same moment. */
const TRIES = 3;

/** A sent address, and the user who has it. */
type InviteeRow = { readonly sent: string } & (AccountRow | { readonly id: null });

/** Invites people by mail: a user is created, and the holder of the mailed token chooses the password. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly privileges: Privileges,
    private readonly collections: Collections,
    private readonly sender: InvitationSender,
    private readonly unconfirmed: UnconfirmedUsers,
  ) {}

  /**
   * All or none. The answer does not distinguish existing users from new ones: a user who is still invited is sent
   * another mail, any other is left alone.
   * @throws InvalidPayload for a URL that is not on the list; ServiceUnavailable where no mail can be sent
   * @throws Forbidden for a role that gives more than the caller has, and whatever else a create throws
   */
  async invite(caller: Caller, { email, role, invite_url }: InviteInput): Promise<void> {
    const url = this.linkOf(invite_url ?? undefined);
    if (!this.sender.isAvailable) {
      throw new ServiceUnavailable({ service: 'mail', reason: 'no mail server is configured' });
    }
    await this.refuseRole(caller, role);
    const addresses = [email].flat();
    let invitees = await this.findInvitees(caller, addresses);
    for (let tried = 1; ; tried += 1) {
      try {
        return await this.sender.send(caller, invitees, { role, url });
      } catch (error) {
        // After a lost connection the mails may be on their way.
        if (!isClientError(error)) throw error;
        const now = await this.findInvitees(caller, addresses);
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
    // A role that the caller does not see is like a missing one.
    const isSeen = await this.collections.canAccess(caller, 'read', 'service_roles', role);
    if (!isSeen || (await this.database.query(ROLE, [role])).length === 0) {
      const decision = caller.decide('create', 'service_users');
      if (!decision || !isNamed(decision, 'role')) throw new Forbidden({});
      throw new InvalidForeignKey({ collection: 'service_users', field: 'role' });
    }
    await this.privileges.refuseUnheld(this.database, caller, { role });
  }

  /** A user with rights that the caller lacks is left alone, like an active one. */
  private async findInvitees(caller: Caller, addresses: readonly string[]): Promise<Invitees> {
    const rows = await this.database.query<InviteeRow>(INVITEES, [addresses]);
    const unregistered: string[] = [];
    const invited: string[] = [];
    for (const row of rows) {
      if (row.id === null) unregistered.push(row.sent);
      else if (!(await this.privileges.holdsAll(this.database, caller, { user: row.id }))) continue;
      else if (isInvited(row)) invited.push(row.id);
      else if (await this.unconfirmed.isReplaceable(this.database, row.id))
        unregistered.push(row.sent);
    }
    return { all: rows.map(({ sent }) => sent), unregistered, invited };
  }
}

const areSame = (one: Invitees, other: Invitees): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
