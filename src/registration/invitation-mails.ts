import { Injectable } from '@nestjs/common';
import { type Actor, ActivityLog } from '../activity';
import { withToken } from '../common/urls';
import type { Queries } from '../database';
import { MailQueue } from '../mail';
import { OneTimeTokens } from '../one-time-tokens';
import { INVITED } from './registration-sql';
import { fullName } from '../users';

/** For how long the link in the mail serves (ms). */
const LIFETIME = 7 * 86_400_000;

export const PURPOSE = 'invite';

interface InvitedRow {
  readonly id: string;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** Sends the mails by which an invitation is accepted. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailQueue,
    private readonly log: ActivityLog,
  ) {}

  /** False where nothing can be mailed. */
  get areAvailable(): boolean {
    return this.mails.isAvailable;
  }

  /**
   * Each gets a token, and what they had before is void. Whoever is not invited any more is left alone.
   * @param url where the link leads, without its token
   */
  async send(
    tx: Queries,
    users: readonly string[],
    { url, actor }: { readonly url: string; readonly actor: Actor },
  ): Promise<void> {
    for (const user of await tx.query<InvitedRow>(INVITED, [users])) {
      await this.tokens.revoke(tx, PURPOSE, user.id);
      // To this address alone: if it is changed, the link is void.
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
