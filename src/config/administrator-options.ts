import { isEmailAddress } from './email-address';
import type { EnvReader } from './env-reader';

export function readEmail(env: EnvReader, name: string): string | undefined {
  const email = env.text(name);
  if (email !== undefined && !isEmailAddress(email)) env.fault(name, 'must be an e-mail address');
  return email;
}

export function readPassword(env: EnvReader, name: string): string | undefined {
  const password = env.verbatim(name);
  if (password === undefined) return undefined;
  if (password.length < 8) env.fault(name, 'must have at least 8 characters');
  // bcrypt would silently ignore what comes after.
  if (Buffer.byteLength(password) > 72) env.fault(name, 'must have at most 72 bytes');
  return password;
}
