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
  /** Where the link leads, without its token. */
  readonly url: string;
}

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly password: string | null;
}

/** For how long the token in the mail serves (ms). */
const LIFETIME = 3_600_000;
/** Within so long a user is sent one mail, however often it is asked for (ms). */
const PAUSE = 300_000;

/** Looks into the requests for a new password: a user who may have one is sent a mail with a token. */
@Injectable()
export class PasswordResetJobHandler implements JobHandler {
  readonly queue = PASSWORD_RESETS;
  /** One after the other: what a request costs afterwards is not to be felt by others. */
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
      // Last: until the end of the transaction it holds the row.
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
      // To the address that is stored: the one that was sent may only look like it.
      to: { name: fullName(user), address: user.email },
      values: { url: withToken(url, token) },
      expires: new Date(Date.now() + LIFETIME),
    });
  }
}
