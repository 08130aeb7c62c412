import { createHash, randomInt } from 'node:crypto';

/** Without characters that are easily confused: i, l, 1, o, 0. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const COUNT = 10;
const LENGTH = 16;
const GROUPS = /(.{4})(?=.)/g;
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
/** A recovery code with spaces or capitals is no longer than this. */
const MAX_WRITTEN = 64;

/** Ten codes like `k7wm-2hqa-…`, 79 random bits each. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: COUNT }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
    return letters.join('').replace(GROUPS, '$1-');
  });

/**
 * The stored form of a code: its SHA-256. No slow hash is needed, since no one can try 2^79 codes.
 * @returns undefined for a text that cannot be a code
 */
export function recoveryDigest(code: string): string | undefined {
  if (code.length > MAX_WRITTEN) return undefined;
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return FORM.test(plain) ? createHash('sha256').update(plain).digest('base64url') : undefined;
}
