import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Actor, ActivityLog } from '../activity';
import { withToken } from '../common/urls';
import type { Queries } from '../database';
import { MailQueue } from '../mail';
import { OneTimeTokens } from '../one-time-tokens';
import { ADD, RENEW, SET_PASSWORD, SWEEP } from './registration-sql';

/** How long the link in the mail is valid (ms). */
const LIFETIME = 86_400_000;
const HOUR = 3_600_000;
/** The most links that an address is sent in an hour, whoever requests them. */
const MAX_LINKS = 5;

export const PURPOSE = 'verify-email';

/** A user whose address is not confirmed. */
interface Unverified {
  readonly id: string;
  readonly email: string;
}

interface RegistrationRow {
  readonly id: string;
  readonly url: string;
  readonly created_at: string;
}

/** The data of a registration, of which one address may have several. */
interface Registered {
  readonly password: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly url: string;
  readonly actor: Actor;
}

/** What a link confirms: one registration, and that the user owns the address it was mailed to. */
export const confirmationBinding = (registration: string, email: string): string =>
  JSON.stringify([registration, email]);

/** Sends links that confirm a registration. The user's row is already locked. */
@Injectable()
export class ConfirmationLinks {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailQueue,
    private readonly log: ActivityLog,
  ) {}

  /** Stores a registration beside existing ones, and sends its link. */
  async send(tx: Queries, user: Unverified, registered: Registered): Promise<void> {
    if (!(await this.mayHaveOne(tx, user))) return;
    await tx.query(SWEEP);
    const { password, first_name, last_name, url, actor } = registered;
    const values = [randomUUID(), user.id, password, first_name, last_name, url, LIFETIME];
    await this.mail(tx, user, await tx.query<RegistrationRow>(ADD, values));
    await this.log.record(tx, { action: 'register', account: user.id }, actor);
  }

  /** Without a link: the registration is effective at once. */
  async waive(tx: Queries, user: string, { password, actor }: Registered): Promise<void> {
    await tx.query(SET_PASSWORD, [user, password]);
    await this.log.record(tx, { action: 'register', account: user }, actor);
  }

  /** Sends the link of the latest registration again; earlier links stay valid. */
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
      // Without a name: the person who registered chose it, and may not own the address.
      to: { address: email },
      values: { url: withToken(registration.url, token), time: timeOf(registration.created_at) },
      expires: new Date(Date.now() + LIFETIME),
    });
  }
}

/** As in `2026-11-21 at 23:20 UTC`, so that the reader recognises which link is theirs. */
const timeOf = (moment: string): string => {
  const [day = '', time = ''] = new Date(moment).toISOString().split('T');
  return `${day} at ${time.slice(0, 5)} UTC`;
};
