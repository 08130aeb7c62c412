import { Injectable } from '@nestjs/common';
import { type Actor, ActivityLog } from '../activity';
import { withToken } from '../common/urls';
import type { Queries } from '../database';
import { MailQueue } from '../mail';
import { OneTimeTokens } from '../one-time-tokens';
import { INVITED } from './registration-sql';
import { fullName } from '../users';

/** How long the link in the mail is valid (ms). */
const LIFETIME = 7 * 86_400_000;

const HOUR = 3_600_000;
/** The most mails that an invited user is sent in an hour, whoever invites. */
const MAX_MAILS = 5;

export const PURPOSE = 'invite';

interface InvitedRow {
  readonly id: string;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Sends invitation mails. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailQueue,
    private readonly log: ActivityLog,
  ) {}

  /** False where no mail can be sent. */
  get areAvailable(): boolean {
    return this.mails.isAvailable;
  }

  /**
   * Each user gets a token, which replaces earlier ones. Users who are no longer invited are left alone, as are those
   * who have been sent enough mails: the last one's token stays valid.
   * @param url the target of the link, without its token
   */
  async send(
    tx: Queries,
    users: readonly string[],
    { url, actor }: { readonly url: string; readonly actor: Actor },
  ): Promise<void> {
    for (const user of await tx.query<InvitedRow>(INVITED, [users])) {
      const sent = await this.tokens.countSince(tx, { purpose: PURPOSE, user: user.id }, HOUR);
      if (sent >= MAX_MAILS) continue;
      await this.tokens.replace(tx, PURPOSE, user.id);
      // For this address alone: if it changes, the link is no longer valid.
      const binding = { purpose: PURPOSE, user: user.id, bound: user.email } as const;
      const token = await this.tokens.issue(tx, binding, LIFETIME);
      await this.mails.add(tx, {
        template: 'invitation',
        to: { name: fullName(user), address: user.email },
        values: { url: withToken(url, token) },
        expires: new Date(Date.now() + LIFETIME),
      });
      await this.log.record(tx, { action: 'invite', account: user.id }, actor);
    }
  }
}
