import { FailedValidation } from '../common/errors';
import { MOST_PASSWORD_BYTES } from './passwords';

const LEAST_CHARACTERS = 8;

/** @throws FailedValidation that names the bound, never the password */
export function refuseWeak(password: string, field = 'password'): void {
  if (Array.from(password).length < LEAST_CHARACTERS || password.trim() === '') {
    throw new FailedValidation({ field, type: 'min_length', valid: LEAST_CHARACTERS });
  }
  if (Buffer.byteLength(password) > MOST_PASSWORD_BYTES) {
    throw new FailedValidation({ field, type: 'max_bytes', valid: MOST_PASSWORD_BYTES });
  }
}
