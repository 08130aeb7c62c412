import { Injectable } from '@nestjs/common';
import { matchesPattern } from '../engine';
import { FailedValidation } from '../common/errors';
import type { Queries } from '../database';
import { AuthSettings } from '../settings';
import { MAX_PASSWORD_BYTES } from './passwords';

const MIN_CHARACTERS = 8;

/** Found at the start: where a package lies, Node looks once, and what it could not read then it takes for missing. */
const LIST = require.resolve('@zxcvbn-ts/language-common');

let common: ReadonlySet<string> | undefined;

/** Those that others have chosen often, in lower case. There are very many: they are read when one is to be judged. */
const commonPasswords = (): ReadonlySet<string> => (common ??= new Set(readCommon()));

function readCommon(): string[] {
  // An `import()` that failed once, as for want of files, would fail for as long as the process lives.
  const { dictionary } = require(LIST) as typeof import('@zxcvbn-ts/language-common');
  // Shorter ones are refused for that already.
  return dictionary['passwords-common'].filter(({ length }) => length >= MIN_CHARACTERS);
}

/** Which passwords may be set. */
@Injectable()
export class PasswordRules {
  private readonly patterns = new WeakMap<Queries, Promise<string | null>>();

  constructor(private readonly settings: AuthSettings) {}

  /**
   * @param queries those of a transaction, where there is one
   * @throws FailedValidation that names the field and the bound, never the password
   */
  async judge(password: string, queries?: Queries, field = 'password'): Promise<void> {
    refuseWeak(password, field);
    const pattern = await this.pattern(queries);
    if (pattern !== null && !matchesPattern(pattern, password)) {
      throw new FailedValidation({ field, type: 'regex', valid: pattern });
    }
  }

  /** Those of the passwords that may be set, judged by one look at the settings. */
  async acceptable(passwords: readonly string[]): Promise<string[]> {
    if (passwords.length === 0) return [];
    const pattern = await this.pattern();
    return passwords.filter(
      (each) =>
        weaknessOf(each) === undefined && (pattern === null || matchesPattern(pattern, each)),
    );
  }

  /** Once for each transaction: many users may be made in it. */
  private pattern(queries?: Queries): Promise<string | null> {
    const known = queries && this.patterns.get(queries);
    if (known) return known;
    const read = this.settings.read(queries).then(({ passwordPolicy }) => passwordPolicy);
    if (queries) this.patterns.set(queries, read);
    return read;
  }
}

/** @throws FailedValidation that names the bound, never the password */
function refuseWeak(password: string, field: string): void {
  const weakness = weaknessOf(password);
  if (weakness) throw new FailedValidation({ field, ...weakness });
}

/** What holds for every password, whatever the project's settings say. @returns the bound that it breaks */
function weaknessOf(password: string): { type: string; valid?: number } | undefined {
  if (Array.from(password).length < MIN_CHARACTERS || password.trim() === '') {
    return { type: 'min_length', valid: MIN_CHARACTERS };
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    return { type: 'max_bytes', valid: MAX_PASSWORD_BYTES };
  }
  return commonPasswords().has(password.toLowerCase()) ? { type: 'common' } : undefined;
}
