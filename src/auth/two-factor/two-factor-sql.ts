/**
 * Locks the user's row before their second factor is read or changed, so that simultaneous codes are checked one after
 * another.
 */
export const LOCK = `
  SELECT id, email, tfa_secret FROM service_users WHERE id = $1::uuid FOR NO KEY UPDATE`;

/** A separate statement: read together with the lock it would show the state before the wait. */
export const STATE = `
  SELECT last_step, recovery_codes FROM service_two_factor WHERE "user" = $1::uuid`;

export const ACCEPT_STEP = `
  INSERT INTO service_two_factor ("user", last_step) VALUES ($1::uuid, $2::int4)
  ON CONFLICT ("user") DO UPDATE SET last_step = excluded.last_step
  WHERE service_two_factor.last_step < excluded.last_step RETURNING last_step`;

export const KEEP_CODES = `
  UPDATE service_two_factor SET recovery_codes = $2 WHERE "user" = $1::uuid`;

export const SET_SECRET = 'UPDATE service_users SET tfa_secret = $2 WHERE id = $1::uuid';

export const BEGIN_STATE = `
  INSERT INTO service_two_factor ("user", last_step, recovery_codes) VALUES ($1::uuid, $2::int4, $3)
  ON CONFLICT ("user") DO UPDATE
  SET last_step = excluded.last_step, recovery_codes = excluded.recovery_codes`;

/** For those of the users who no longer have a second factor. */
export const FORGET = `
  DELETE FROM service_two_factor state USING service_users principal
  WHERE state."user" = principal.id AND principal.tfa_secret IS NULL AND principal.id = ANY($1::uuid[])`;

/** Those of the users who have a second factor. */
export const PROTECTED = `
  SELECT id FROM service_users WHERE id = ANY($1::uuid[]) AND tfa_secret IS NOT NULL`;

const LASTS = "now() - interval '10 minutes'";

/** Only for a session that still exists. Each new offer removes some expired ones. */
export const OFFER = `
  WITH passed AS (
    DELETE FROM service_two_factor_offers WHERE session IN (
      SELECT session FROM service_two_factor_offers
      WHERE created_at <= ${LASTS} AND session <> $1::uuid LIMIT 100 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO service_two_factor_offers (session, secret)
  SELECT session.id, $3 FROM service_sessions session
  WHERE session.id = $1::uuid AND session."user" = $2::uuid
  ON CONFLICT (session) DO UPDATE SET secret = excluded.secret, created_at = now()
  RETURNING session`;

export const FIND_OFFER = `
  SELECT offer.secret FROM service_two_factor_offers offer
  JOIN service_sessions session ON session.id = offer.session
  WHERE offer.session = $1::uuid AND session."user" = $2::uuid AND offer.created_at > ${LASTS}`;

export const DROP_OFFER = 'DELETE FROM service_two_factor_offers WHERE session = $1::uuid';

/** A user who does not sign in with a password here has a hash that proves nothing. */
export const ACCOUNT = `
  SELECT email, provider, CASE WHEN provider = 'default' THEN password END AS password,
    tfa_secret IS NOT NULL AS two_factor
  FROM service_users WHERE id = $1::uuid`;

export const IS_RECENT = `
  SELECT id FROM service_sessions
  WHERE id = $1::uuid AND "user" = $2::uuid AND created_at > now() - interval '5 minutes'`;
