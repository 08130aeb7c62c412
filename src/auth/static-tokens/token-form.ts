import { randomBytes } from 'node:crypto';

const PREFIX = 'dwt_';
const SECRET_BYTES = 32;
/** Whose it is in 22 characters, and what nobody can guess in 43. */
const FORM = /^dwt_([\w-]{22})[\w-]{43}$/;

/**
 * A static token: it names its user, so that what is known of it can be dropped with everything else that is known of
 * them. The prefix tells it from every other token, here and to those who look for leaked ones.
 */
export function makeStaticToken(user: string): string {
  const owner = Buffer.from(user.replaceAll('-', ''), 'hex').toString('base64url');
  return PREFIX + owner + randomBytes(SECRET_BYTES).toString('base64url');
}

/** @returns the id of the user whom the token names; nothing for what has another form */
export function ownerOf(token: string): string | undefined {
  const [, owner] = FORM.exec(token) ?? [];
  if (owner === undefined) return undefined;
  const hex = Buffer.from(owner, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
