const REPLACED = ' replaced';

export const ISSUE = `
  INSERT INTO service_one_time_tokens (hash, purpose, "user", bound, expires_at)
  VALUES ($1, $2, $3::uuid, $4, now() + $5::int8 * interval '1 millisecond')`;

export const RECENT = `
  SELECT count(*)::int4 AS count FROM service_one_time_tokens
  WHERE "user" = $1::uuid AND purpose IN ($2::text, $2::text || '${REPLACED}') AND ($3::text IS NULL OR bound = $3) AND expires_at > now()
    AND created_at > now() - $4::int8 * interval '1 millisecond'`;

export const FIND = `
  SELECT "user" FROM service_one_time_tokens
  WHERE hash = $1 AND purpose = $2 AND expires_at > now()`;

export const REDEEM = `
  DELETE FROM service_one_time_tokens
  WHERE hash = $1 AND purpose = $2 AND "user" = $3::uuid AND bound = $4 AND expires_at > now()
  RETURNING hash`;

export const REDEEM_ONE_OF = `
  DELETE FROM service_one_time_tokens
  WHERE hash = $1 AND purpose = $2 AND "user" = $3::uuid AND bound = ANY($4::text[]) AND expires_at > now()
  RETURNING bound`;

export const REVOKE = `
  DELETE FROM service_one_time_tokens WHERE "user" = $1::uuid AND purpose = $2`;

/** No purpose ends with it: such a token is invalid, and is kept for an hour to be counted. */
export const REPLACE = `
  UPDATE service_one_time_tokens
  SET purpose = purpose || '${REPLACED}', expires_at = LEAST(expires_at, now() + interval '1 hour')
  WHERE "user" = $1::uuid AND purpose = $2`;

/**
 * Each issued token removes a few expired ones, more than are added. Rows locked by another transaction are left to it.
 */
export const SWEEP = `
  DELETE FROM service_one_time_tokens WHERE hash IN (
    SELECT hash FROM service_one_time_tokens WHERE expires_at <= now() LIMIT 100
    FOR UPDATE SKIP LOCKED)`;
