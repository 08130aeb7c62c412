import { foldedEmail } from '../users';

/** The user with the address, in any case; locked, so that simultaneous requests see each other's effects. */
export const BY_EMAIL = `
  SELECT id, email, status, provider FROM service_users
  WHERE ${foldedEmail('email')} = ${foldedEmail('$1::text')} FOR NO KEY UPDATE`;

export const BY_ID =
  'SELECT id, email, status, provider FROM service_users WHERE id = $1::uuid FOR NO KEY UPDATE';

export const EXISTS = 'SELECT FROM service_users WHERE id = $1::uuid';

/** A new user who still has to confirm the address; none where a team's hook gave another status. */
export const MARK_REGISTERED = `
  UPDATE service_users SET registered = true WHERE id = $1::uuid AND status = 'unverified'
  RETURNING id, email, status, provider`;

/** The user has confirmed the address, or need not: whoever registers it from now on is somebody else. */
export const SET_PASSWORD =
  'UPDATE service_users SET password = $2, registered = false WHERE id = $1::uuid';

export const ADD = `
  INSERT INTO service_registrations (id, "user", password, first_name, last_name, url, expires_at)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, now() + $7::int8 * interval '1 millisecond')
  RETURNING id, url, created_at`;

/** The latest unconfirmed registrations; their lives are prolonged to that of the new links. */
export const RENEW = `
  UPDATE service_registrations SET expires_at = now() + $2::int8 * interval '1 millisecond'
  WHERE id IN (
    SELECT id FROM service_registrations WHERE "user" = $1::uuid AND expires_at > now()
    ORDER BY created_at DESC, id LIMIT $3::int4)
  RETURNING id, url, created_at`;

export const PENDING = `
  SELECT id, password, first_name, last_name FROM service_registrations
  WHERE "user" = $1::uuid AND expires_at > now()`;

export const FORGET = 'DELETE FROM service_registrations WHERE "user" = $1::uuid';

/**
 * Each registration removes a few expired ones, more than are added. Rows locked by another transaction are left to it.
 */
export const SWEEP = `
  DELETE FROM service_registrations WHERE id IN (
    SELECT id FROM service_registrations WHERE expires_at <= now() LIMIT 100
    FOR UPDATE SKIP LOCKED)`;

/** Each address once, as first sent, with its user. */
export const INVITEES = `
  SELECT DISTINCT ON (${foldedEmail('sent.email')}) sent.email AS sent,
    known.id, known.email, known.status, known.provider
  FROM unnest($1::text[]) WITH ORDINALITY sent(email, place)
  LEFT JOIN service_users known ON ${foldedEmail('known.email')} = ${foldedEmail('sent.email')}
  ORDER BY ${foldedEmail('sent.email')}, sent.place`;

/** Always locked in the same order, so that an invitation and a change of several users cannot deadlock. */
export const INVITED = `
  SELECT id, email, first_name, last_name FROM service_users
  WHERE id = ANY($1::uuid[]) AND status = 'invited' AND provider = 'default' AND email IS NOT NULL
  ORDER BY id FOR NO KEY UPDATE`;

/** For a dry run, which is rolled back: as if the addresses were free. */
export const FREE = `
  UPDATE service_users SET email = NULL
  WHERE ${foldedEmail('email')} IN (SELECT ${foldedEmail('sent.email')} FROM unnest($1::text[]) sent(email))`;

export const ROLE = 'SELECT 1 FROM service_roles WHERE id = $1::uuid';
