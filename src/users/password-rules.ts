import { Injectable } from '@nestjs/common';
import { dictionary } from '@zxcvbn-ts/language-common';
import { matchesPattern } from '../engine';
import { FailedValidation } from '../common/errors';
import type { Queries } from '../database';
import { AuthSettings } from '../settings';
import { MAX_PASSWORD_BYTES } from './passwords';

const MIN_CHARACTERS = 8;

/** Those that others have chosen often, in lower case; shorter ones are refused for that already. */
const COMMON: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= MIN_CHARACTERS),
);

/** Which passwords may be set. */
@Injectable()
export class PasswordRules {
  constructor(private readonly settings: AuthSettings) {}

  /**
   * @param queries those of a transaction, where there is one
   * @throws FailedValidation that names the field and the bound, never the password
   */
  async judge(password: string, queries?: Queries, field = 'password'): Promise<void> {
    refuseWeak(password, field);
    const { passwordPolicy: pattern } = await this.settings.read(queries);
    if (pattern !== null && !matchesPattern(pattern, password)) {
      throw new FailedValidation({ field, type: 'regex', valid: pattern });
    }
  }
}

/**
 * What holds for every password, whatever the project's settings say.
 * @throws FailedValidation that names the bound, never the password
 */
function refuseWeak(password: string, field: string): void {
  if (Array.from(password).length < MIN_CHARACTERS || password.trim() === '') {
    throw new FailedValidation({ field, type: 'min_length', valid: MIN_CHARACTERS });
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw new FailedValidation({ field, type: 'max_bytes', valid: MAX_PASSWORD_BYTES });
  }
  if (COMMON.has(password.toLowerCase())) {
    throw new FailedValidation({ field, type: 'common' });
  }
}
