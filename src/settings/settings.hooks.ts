import { HooksOf } from '../collections';
import { AccessFault, type Cell } from '../engine';
import { FailedValidation, InvalidPayload } from '../common/errors';
import type { CollectionHooks, Payload, Values } from '../repository';
import { parseEmailFilter } from './email-filter';
import { isPasswordPattern } from './password-pattern';
import { Settings } from './settings.entity';

/** The form of BCP 47, not its registry: `en`, `de-AT`, `zh-Hant-TW`. */
const LANGUAGE = /^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$/;

const EMAIL_FILTER = 'public_registration_email_filter';

/** Checks each setting. Values under which nobody could sign in or set a password are refused. */
const CHECKS: Readonly<Record<string, (cell: Cell) => void>> = {
  auth_password_policy(cell) {
    if (typeof cell === 'string' && !isPasswordPattern(cell)) {
      throw new FailedValidation({ field: 'auth_password_policy', type: 'pattern' });
    }
  },
  default_language(cell) {
    if (typeof cell === 'string' && !LANGUAGE.test(cell)) {
      throw new FailedValidation({ field: 'default_language', type: 'language' });
    }
  },
  project_url(cell) {
    if (typeof cell === 'string' && !isWebUrl(cell)) {
      throw new FailedValidation({ field: 'project_url', type: 'url' });
    }
  },
  [EMAIL_FILTER]: checkEmailFilter,
};

@HooksOf(Settings)
export class SettingsHooks implements CollectionHooks {
  /** Forms and typed clients send null for no filter. */
  beforeUpdate(payload: Payload): Payload {
    return payload[EMAIL_FILTER] === null ? { ...payload, [EMAIL_FILTER]: {} } : payload;
  }

  toStored(values: Values): Values {
    for (const [field, cell] of values) CHECKS[field]?.(cell);
    return values;
  }
}

/** Mails contain it as a link. */
function isWebUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && /^https?:\/\//i.test(text);
}

function checkEmailFilter(cell: Cell): void {
  try {
    parseEmailFilter(cell);
  } catch (error) {
    if (!(error instanceof AccessFault)) throw error;
    const field = [EMAIL_FILTER, ...error.path.slice(0, 4)].join('.');
    throw new InvalidPayload({ field, reason: error.reason }, { cause: error });
  }
}
