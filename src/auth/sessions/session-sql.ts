/**
 * How many milliseconds a rotated token is still accepted, and answered with its successor: two tabs may refresh at
 * once.
 */
export const GRACE = 10_000;

/** The same statement logs the sign-in. */
const BEGIN_SESSION = `, logged AS (
    INSERT INTO service_activity (action, collection, item, "user", ip, user_agent, origin)
    SELECT 'login', 'service_users', principal.id::text, principal.id, $7::varchar, $8::varchar, $9::varchar
    FROM principal
  )
  INSERT INTO service_sessions (id, "user", token_hash, expires_at, ip, device)
  SELECT $4::uuid, principal.id, $5, now() + $6::int8 * interval '1 millisecond', $7::varchar, $8::varchar
  FROM principal RETURNING id`;

const begin = (condition: string): string => `
  WITH principal AS (
    UPDATE service_users SET last_access = now(), password = coalesce($3, password)
    WHERE id = $1::uuid AND password = $2 AND status = 'active' AND provider = 'default' AND ${condition}
    RETURNING id
  )${BEGIN_SESSION}`;

/**
 * A session begins only for a user who is still active, still signs in here, still has the checked password and, if that
 * was the only factor, still has no second factor.
 */
export const BEGIN = begin('tfa_secret IS NULL');

/** The same for a user whose second factor was checked too. */
export const BEGIN_TWO_FACTOR = begin('true');

/** The same for a user identified by their provider, while they still belong to that identity. */
export const BEGIN_EXTERNAL = `
  WITH principal AS (
    UPDATE service_users SET last_access = now()
    WHERE id = $1::uuid AND provider = $2 AND external_identifier = $3 AND status = 'active' RETURNING id
  )${BEGIN_SESSION}`;

/** How many rotations are remembered; only those within the grace period matter. */
const REMEMBERED = 20;

/** Of simultaneous rotations of one token the row lock lets one through. */
export const ROTATE = `
  UPDATE service_sessions session
  SET generation = session.generation + 1, token_hash = $4, last_seen = now(),
    rotations = (ARRAY[now()] || session.rotations)[1:${REMEMBERED}],
    expires_at = now() + $5::int8 * interval '1 millisecond'
  FROM service_users principal
  WHERE session.id = $1::uuid AND session.generation = $2::int4 AND session.token_hash = ANY($3::text[])
    AND session.expires_at > now() AND principal.id = session."user" AND principal.status = 'active'
  RETURNING session."user"`;

/** When the token of a generation was rotated: null for the one in force, and for one rotated long ago. */
const rotated = (generation: string): string =>
  `session.rotations[session.generation - ${generation}::int4]`;
const GRACE_SPAN = "$3::int4 * interval '1 millisecond'";

export const STATE = `
  SELECT session."user", session.generation,
    coalesce(${rotated('$2')} + ${GRACE_SPAN} > now(), false) AS graced,
    session.expires_at > now() AND principal.status = 'active' AS alive
  FROM service_sessions session JOIN service_users principal ON principal.id = session."user"
  WHERE session.id = $1::uuid FOR UPDATE OF session`;

export const END = 'DELETE FROM service_sessions WHERE id = $1::uuid';

/** A session that has not ended, for its user. */
const LASTING = `
  FROM service_sessions session JOIN service_users principal ON principal.id = session."user"
  WHERE session.id = $1::uuid AND session."user" = $2::uuid AND session.expires_at > now()
    AND principal.status = 'active'`;

export const FIND = `SELECT session.expires_at ${LASTING}`;

/** The same for one token of the family: once rotated, it lasts no longer than the grace period. */
export const FIND_GENERATION = `
  SELECT least(session.expires_at, ${rotated('$4')} + ${GRACE_SPAN}) AS expires_at ${LASTING}
    AND (session.generation = $4::int4 OR ${rotated('$4')} + ${GRACE_SPAN} > now())`;

/** All sessions of some users except one. */
export const END_OTHERS = `
  DELETE FROM service_sessions WHERE "user" = ANY($1::uuid[]) AND id IS DISTINCT FROM $2::uuid`;

/** All sessions of some users. */
export const END_ALL = 'DELETE FROM service_sessions WHERE "user" = ANY($1::uuid[])';

export const IDENTITIES = `
  SELECT id, provider, external_identifier FROM service_users WHERE id = ANY($1::uuid[])`;

export const INACTIVE = `
  SELECT id FROM service_users WHERE id = ANY($1::uuid[]) AND status <> 'active'`;
