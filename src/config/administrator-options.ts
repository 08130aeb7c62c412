import { isEmailAddress } from './email-address';
import type { EnvReader } from './env-reader';
import {
  isTooLong,
  isTooShort,
  MAX_PASSWORD_BYTES,
  MIN_PASSWORD_CHARACTERS,
} from './password-bounds';

export function readEmail(env: EnvReader, name: string): string | undefined {
  const email = env.text(name);
  if (email !== undefined && !isEmailAddress(email)) env.fault(name, 'must be an e-mail address');
  return email;
}

export function readPassword(env: EnvReader, name: string): string | undefined {
  const password = env.verbatim(name);
  if (password === undefined) return undefined;
  if (isTooShort(password)) {
    env.fault(name, `must have at least ${MIN_PASSWORD_CHARACTERS} characters`);
  }
  if (isTooLong(password)) env.fault(name, `must have at most ${MAX_PASSWORD_BYTES} bytes`);
  return password;
}
