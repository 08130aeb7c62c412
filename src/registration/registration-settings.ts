import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database';
import { MailQueue } from '../mail';
import { matchesEmailFilter } from '../settings';
import { RequiredUserFields } from '../users';
import type { NewRegistration } from './registration-request';

/** What applies to a new registration. */
export interface OpenRegistration {
  /** Whether the address has to be confirmed first. */
  readonly verifies: boolean;
  readonly role: string | null;
}

interface SettingsRow extends OpenRegistration {
  readonly open: boolean;
  readonly filter: unknown;
}

const READ = `
  SELECT public_registration AS open, public_registration_verify_email AS verifies,
    public_registration_role AS role, public_registration_email_filter AS filter
  FROM service_settings`;

/** All fields of a user that a registration can contain. */
const WHOLE = {
  email: 'e',
  password: 'p',
  first_name: 'f',
  last_name: 'l',
  role: 'r',
  status: 'unverified',
};

/** The project's settings for registration. */
@Injectable()
export class RegistrationSettings implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly mails: MailQueue,
    private readonly fields: RequiredUserFields,
  ) {}

  /** Reports once that registration is impossible, where a required field cannot be part of one. */
  async onApplicationBootstrap(): Promise<void> {
    const lacking = this.fields.missing(WHOLE);
    if (lacking.length === 0) return;
    const [settings] = await this.database.query<SettingsRow>(READ);
    if (!settings?.open) return;
    new Logger('Registration').warn(
      `Nobody can register: USER_REQUIRED_FIELDS requires ${lacking.join(', ')}, which a registration cannot contain. Remove it, or turn off public_registration.`,
    );
  }

  /** Whether somebody with the address may register, with whatever else. */
  async admits(address: string): Promise<boolean> {
    return (await this.readFor(address)) !== undefined;
  }

  /** @returns undefined where such a registration is not allowed */
  async openFor(registration: NewRegistration): Promise<OpenRegistration | undefined> {
    const settings = await this.readFor(registration.email);
    if (!settings) return undefined;
    const { verifies, role } = settings;
    // It could never be confirmed.
    if (verifies && !this.mails.isAvailable) return undefined;
    const { email, password, first_name, last_name } = registration;
    const given = { email, password, first_name, last_name, role, status: 'unverified' };
    return this.fields.missing(given).length > 0 ? undefined : { verifies, role };
  }

  private async readFor(address: string): Promise<SettingsRow | undefined> {
    const [settings] = await this.database.query<SettingsRow>(READ);
    return settings?.open && matchesEmailFilter(settings.filter, address) ? settings : undefined;
  }
}
