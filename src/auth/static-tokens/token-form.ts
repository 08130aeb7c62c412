import { randomBytes } from 'node:crypto';

const PREFIX = 'dwt_';
const SECRET_BYTES = 32;
/** The user in 22 characters, and a secret in 43. */
const FORM = /^dwt_([\w-]{22})[\w-]{43}$/;

/**
 * A static token: it names its user, so that it is dropped from caches together with all other data of that user. The
 * prefix distinguishes it from every other token, also for scanners that search for leaked ones.
 */
export function makeStaticToken(user: string): string {
  const owner = Buffer.from(user.replaceAll('-', ''), 'hex').toString('base64url');
  return PREFIX + owner + randomBytes(SECRET_BYTES).toString('base64url');
}

/** @returns the id of the user whom the token names; undefined for any other text */
export function ownerOf(token: string): string | undefined {
  const [, owner] = FORM.exec(token) ?? [];
  if (owner === undefined) return undefined;
  const hex = Buffer.from(owner, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
