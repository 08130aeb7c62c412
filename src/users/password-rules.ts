import { Injectable } from '@nestjs/common';
import {
  isTooLong,
  isTooShort,
  MAX_PASSWORD_BYTES,
  MIN_PASSWORD_CHARACTERS,
} from '../config/password-bounds';
import { matchesPattern } from '../engine';
import { FailedValidation } from '../common/errors';
import type { Queries } from '../database';
import { CONCEALED } from '../repository';
import { AuthSettings } from '../settings';

/** Resolved at the start: Node caches package lookups, and treats a failed read as a missing package. */
const LIST = require.resolve('@zxcvbn-ts/language-common');

let common: ReadonlySet<string> | undefined;

/** Commonly chosen passwords, in lower case. The list is large, so it is read on first use. */
const commonPasswords = (): ReadonlySet<string> => (common ??= new Set(readCommon()));

function readCommon(): string[] {
  // An `import()` that failed once, for example without free file handles, would fail for the rest of the process.
  const { dictionary } = require(LIST) as typeof import('@zxcvbn-ts/language-common');
  // Shorter passwords are refused anyway.
  return dictionary['passwords-common'].filter(({ length }) => length >= MIN_PASSWORD_CHARACTERS);
}

/** The field that a fault names. */
const FIELD = 'password';

/** Which passwords may be set. */
@Injectable()
export class PasswordRules {
  private readonly patterns = new WeakMap<Queries, Promise<string | null>>();

  constructor(private readonly settings: AuthSettings) {}

  /**
   * @param queries those of a transaction, where there is one
   * @throws FailedValidation that names the field and the bound, never the password
   */
  async check(password: string, queries?: Queries): Promise<void> {
    const weakness = weaknessOf(password);
    if (weakness) throw new FailedValidation({ field: FIELD, ...weakness });
    const pattern = await this.pattern(queries);
    if (pattern !== null && !matchesPattern(pattern, password)) {
      throw new FailedValidation({ field: FIELD, type: 'regex', valid: pattern });
    }
  }

  /** The passwords that may be set, with one read of the settings. */
  async acceptable(passwords: readonly string[]): Promise<string[]> {
    if (passwords.length === 0) return [];
    const pattern = await this.pattern();
    return passwords.filter(
      (each) =>
        weaknessOf(each) === undefined && (pattern === null || matchesPattern(pattern, each)),
    );
  }

  /** Read once per transaction, which may create many users. */
  private pattern(queries?: Queries): Promise<string | null> {
    const known = queries && this.patterns.get(queries);
    if (known) return known;
    const read = this.settings.read(queries).then(({ passwordPolicy }) => passwordPolicy);
    if (queries) this.patterns.set(queries, read);
    return read;
  }
}

/** The rules for every password, whatever the project's settings. @returns the violated rule */
function weaknessOf(password: string): { type: string; valid?: number } | undefined {
  if (isTooShort(password) || password.trim() === '') {
    return { type: 'min_length', valid: MIN_PASSWORD_CHARACTERS };
  }
  if (isTooLong(password)) return { type: 'max_bytes', valid: MAX_PASSWORD_BYTES };
  return isCommon(password) ? { type: 'common' } : undefined;
}

/** What every password is shown as is no password, and would be the first that is tried. */
const isCommon = (password: string): boolean =>
  password === CONCEALED || commonPasswords().has(password.toLowerCase());
