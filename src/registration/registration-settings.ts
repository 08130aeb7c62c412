import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database';
import { MailQueue } from '../mail';
import { matchesEmailFilter } from '../settings';
import { RequiredUserFields } from '../users';
import type { NewRegistration } from './registration-request';

/** How whoever may register is taken in. */
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

/** The most that a registration says of a user. */
const WHOLE = {
  ...{ email: 'e', password: 'p', first_name: 'f', last_name: 'l' },
  ...{ role: 'r', status: 'unverified' },
};

/** What the project's settings say of registration. */
@Injectable()
export class RegistrationSettings implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly mails: MailQueue,
    private readonly fields: RequiredUserFields,
  ) {}

  /** Says once that nobody can register, where a field is demanded that no registration carries. */
  async onApplicationBootstrap(): Promise<void> {
    const lacking = this.fields.missing(WHOLE);
    if (lacking.length === 0) return;
    const [settings] = await this.database.query<SettingsRow>(READ);
    if (!settings?.open) return;
    new Logger('Registration').warn(
      `Nobody can register: USER_REQUIRED_FIELDS demands ${lacking.join(', ')}, which no registration carries. Take it out, or turn off public_registration.`,
    );
  }

  /** @returns nothing where nobody may register like this */
  async openFor(registration: NewRegistration): Promise<OpenRegistration | undefined> {
    const [settings] = await this.database.query<SettingsRow>(READ);
    if (!settings?.open) return undefined;
    const { verifies, role, filter } = settings;
    if (!matchesEmailFilter(filter, registration.email)) return undefined;
    // Nobody could ever confirm it.
    if (verifies && !this.mails.isAvailable) return undefined;
    const { email, password, first_name, last_name } = registration;
    const given = { email, password, first_name, last_name, role, status: 'unverified' };
    return this.fields.missing(given).length > 0 ? undefined : { verifies, role };
  }
}
