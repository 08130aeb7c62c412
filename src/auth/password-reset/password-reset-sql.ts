import { lowercaseEmail, foldedEmail } from '../../users';

/**
 * The users who may reset their password: only those who sign in with one. Locked, so that simultaneous requests for
 * one user see each other's effects.
 */
const RESETTABLE = `status = 'active' AND provider = 'default' FOR NO KEY UPDATE`;

export const BY_EMAIL = `
  SELECT id, email, first_name, last_name, password FROM service_users
  WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')}
    AND ${lowercaseEmail('email')} = ${lowercaseEmail('$1::text')} AND ${RESETTABLE}`;

export const BY_ID = `SELECT password, email FROM service_users WHERE id = $1::uuid AND ${RESETTABLE}`;

export const SET_PASSWORD = 'UPDATE service_users SET password = $2 WHERE id = $1::uuid';

/** The password that a link replaces, and the address it was mailed to. */
export interface Resettable {
  readonly password: string | null;
  readonly email: string | null;
}

/** A link is valid while neither has changed. */
export const resetBinding = ({ password, email }: Resettable): string =>
  JSON.stringify([password, email]);
