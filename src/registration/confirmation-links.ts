import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor, ActivityLog } from '../activity';
import { withToken } from '../common/urls';
import type { Queries } from '../database';
import { MailQueue } from '../mail';
import { OneTimeTokens } from '../one-time-tokens';
import { ADD, RENEW, SET_PASSWORD, SWEEP } from './registration-sql';

/** For how long the link in the mail serves (ms). */
const LIFETIME = 86_400_000;
const HOUR = 3_600_000;
/** An address is sent so many links an hour, whoever asks for them and however often. */
const MAX_LINKS = 5;

export const PURPOSE = 'verify-email';

/** Somebody whose address is not confirmed. */
interface Unverified {
  readonly id: string;
  readonly email: string;
}

interface RegistrationRow {
  readonly id: string;
  readonly url: string;
  readonly created_at: string;
}

/** What may be registered several times for one address. */
interface Registered {
  readonly password: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly url: string;
  readonly actor: Actor;
}

/** What a link confirms: one registration, and that the address which the mail went to is the user's. */
export const confirmationBinding = (registration: string, email: string): string =>
  JSON.stringify([registration, email]);

/** Sends links by which a registration is confirmed. The user's row is locked by then. */
@Injectable()
export class ConfirmationLinks {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailQueue,
    private readonly log: ActivityLog,
  ) {}

  /** Keeps a registration beside those that are there already, and sends its link. */
  async send(tx: Queries, user: Unverified, registered: Registered): Promise<void> {
    if (!(await this.mayHaveOne(tx, user))) return;
    await tx.query(SWEEP);
    const { password, first_name, last_name, url, actor } = registered;
    const values = [randomUUID(), user.id, password, first_name, last_name, url, LIFETIME];
    await this.mail(tx, user, await tx.query<RegistrationRow>(ADD, values));
    await this.log.record(tx, { action: 'register', account: user.id }, actor);
  }

  /** Without a link: the registration counts at once. */
  async waive(tx: Queries, user: string, { password, actor }: Registered): Promise<void> {
    await tx.query(SET_PASSWORD, [user, password]);
    await this.log.record(tx, { action: 'register', account: user }, actor);
  }

  /** Sends the link of the latest registration anew; those that were sent before serve on. */
  async renew(tx: Queries, user: Unverified): Promise<void> {
    if (!(await this.mayHaveOne(tx, user))) return;
    await this.mail(tx, user, await tx.query<RegistrationRow>(RENEW, [user.id, LIFETIME]));
  }

  private async mayHaveOne(tx: Queries, { id }: Unverified): Promise<boolean> {
    if (!this.mails.isAvailable) return false;
    const sent = await this.tokens.countSince(tx, { purpose: PURPOSE, user: id }, HOUR);
    return sent < MAX_LINKS;
  }

  private async mail(
    tx: Queries,
    { id: user, email }: Unverified,
    [registration]: readonly RegistrationRow[],
  ): Promise<void> {
    if (!registration) return;
    const binding = {
      purpose: PURPOSE,
      user,
      bound: confirmationBinding(registration.id, email),
    } as const;
    const token = await this.tokens.issue(tx, binding, LIFETIME);
    await this.mails.add(tx, {
      template: 'verification',
      // No name: whoever registered chose it, and may be somebody else.
      to: { address: email },
      values: { url: withToken(registration.url, token), time: timeOf(registration.created_at) },
      expires: new Date(Date.now() + LIFETIME),
    });
  }
}

/** As in `2026-11-21 at 23:20 UTC`: of several links the reader knows which is theirs. */
const timeOf = (moment: string): string => {
  const [day = '', time = ''] = new Date(moment).toISOString().split('T');
  return `${day} at ${time.slice(0, 5)} UTC`;
};
