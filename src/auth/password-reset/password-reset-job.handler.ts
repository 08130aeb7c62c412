import { Injectable } from '@nestjs/common';
import { withToken } from '../../common/urls';
import { Database, type Tx } from '../../database';
import { MailQueue } from '../../mail';
import { OneTimeTokens } from '../../one-time-tokens';
import type { Job, JobHandler } from '../../queue';
import { resetBinding, BY_EMAIL } from './password-reset-sql';
import { fullName } from '../../users';

export const PASSWORD_RESETS = 'password-resets';

export interface ResetRequest {
  readonly email: string;
  /** The target of the link, without its token. */
  readonly url: string;
}

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly password: string | null;
}

/** How long the token in the mail is valid (ms). */
const LIFETIME = 3_600_000;
/** During this time a user is sent only one mail, however often it is requested (ms). */
const PAUSE = 300_000;

/** Processes requests for a new password: a user who may have one is sent a mail with a token. */
@Injectable()
export class PasswordResetJobHandler implements JobHandler {
  readonly queue = PASSWORD_RESETS;
  /** One after the other, so that the cost of a request does not delay others noticeably. */
  readonly slots = 1;

  constructor(
    private readonly database: Database,
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailQueue,
  ) {}

  async run(job: Job): Promise<void> {
    const request = JSON.parse(job.content) as ResetRequest;
    await this.database.transaction(async (tx) => {
      if (this.mails.isAvailable) await this.answer(tx, request);
      // Last: it locks the row until the end of the transaction.
      await job.finish(tx);
    });
  }

  private async answer(tx: Tx, { email, url }: ResetRequest): Promise<void> {
    const [user] = await tx.query<UserRow>(BY_EMAIL, [email]);
    if (!user) return;
    const binding = {
      purpose: 'password-reset',
      user: user.id,
      bound: resetBinding(user),
    } as const;
    if ((await this.tokens.countSince(tx, binding, PAUSE)) > 0) return;
    const token = await this.tokens.issue(tx, binding, LIFETIME);
    await this.mails.add(tx, {
      template: 'password-reset',
      // Sent to the stored address: the sent one may only look like it.
      to: { name: fullName(user), address: user.email },
      values: { url: withToken(url, token) },
      expires: new Date(Date.now() + LIFETIME),
    });
  }
}
