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
    if ((await this.remainingLinks(tx, user)) === 0) return;
    await tx.query(SWEEP);
    const { password, first_name, last_name, url, actor } = registered;
    const values = [randomUUID(), user.id, password, first_name, last_name, url, LIFETIME];
    const added = await tx.query<RegistrationRow>(ADD, values);
    for (const registration of added) await this.mail(tx, user, registration);
    await this.log.record(tx, { action: 'register', account: user.id }, actor);
  }

  /** Without a link: the registration is effective at once. */
  async confirmAtOnce(tx: Queries, user: string, { password, actor }: Registered): Promise<void> {
    await tx.query(SET_PASSWORD, [user, password]);
    await this.log.record(tx, { action: 'register', account: user }, actor);
  }

  /**
   * Sends the links of all registrations again; earlier links stay valid. A single link might be that of a stranger, and
   * the owner of the address expects a mail now.
   */
  async renew(tx: Queries, user: Unverified): Promise<void> {
    const values = [user.id, LIFETIME, await this.remainingLinks(tx, user)];
    const renewed = await tx.query<RegistrationRow>(RENEW, values);
    for (const registration of renewed) await this.mail(tx, user, registration);
  }

  /** @returns how many links may be sent now */
  private async remainingLinks(tx: Queries, { id }: Unverified): Promise<number> {
    if (!this.mails.isAvailable) return 0;
    const sent = await this.tokens.countSince(tx, { purpose: PURPOSE, user: id }, HOUR);
    return Math.max(MAX_LINKS - sent, 0);
  }

  private async mail(
    tx: Queries,
    { id: user, email }: Unverified,
    registration: RegistrationRow,
  ): Promise<void> {
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
