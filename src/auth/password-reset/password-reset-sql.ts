import { foldedEmail } from '../../users';

/**
 * Whoever may have a new password: only a user who signs in with ours. Locked, so that of several requests for one user
 * each sees what the other did.
 */
const RESETTABLE = `status = 'active' AND provider = 'default' FOR NO KEY UPDATE`;

export const BY_EMAIL = `
  SELECT id, email, first_name, last_name, password FROM service_users
  WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')} AND ${RESETTABLE}`;

export const BY_ID = `SELECT password, email FROM service_users WHERE id = $1::uuid AND ${RESETTABLE}`;

export const SET_PASSWORD = 'UPDATE service_users SET password = $2 WHERE id = $1::uuid';

/** What a link replaces, and where it was mailed to. */
export interface Resettable {
  readonly password: string | null;
  readonly email: string | null;
}

/** A link serves while neither has changed. */
export const resetBinding = ({ password, email }: Resettable): string =>
  JSON.stringify([password, email]);
