/** A session begins only for a user who is still active and still has the password that was checked. */
export const BEGIN = `
  WITH bearer AS (
    UPDATE service_users SET last_access = now(), password = coalesce($3, password)
    WHERE id = $1::uuid AND password = $2 AND status = 'active' RETURNING id
  )
  INSERT INTO service_sessions (id, "user", token_hash, expires_at, ip, device)
  SELECT $4::uuid, bearer.id, $5, now() + $6::int8 * interval '1 millisecond', $7, $8 FROM bearer
  RETURNING id`;

/** Of many who rotate the same token at once the row lets one through. */
export const ROTATE = `
  UPDATE service_sessions session
  SET generation = session.generation + 1, token_hash = $4, rotated_at = now(), last_seen = now(),
    expires_at = now() + $5::int8 * interval '1 millisecond'
  FROM service_users bearer
  WHERE session.id = $1::uuid AND session.generation = $2::int4 AND session.token_hash = $3
    AND session.expires_at > now() AND bearer.id = session."user" AND bearer.status = 'active'
  RETURNING session."user"`;

export const STANDING = `
  SELECT session."user", session.generation,
    session.rotated_at > now() - $2::int4 * interval '1 millisecond' AS graced,
    session.expires_at > now() AND bearer.status = 'active' AS alive
  FROM service_sessions session JOIN service_users bearer ON bearer.id = session."user"
  WHERE session.id = $1::uuid FOR UPDATE OF session`;

export const END = 'DELETE FROM service_sessions WHERE id = $1::uuid';

export const FIND = `
  SELECT session.expires_at
  FROM service_sessions session JOIN service_users bearer ON bearer.id = session."user"
  WHERE session.id = $1::uuid AND session."user" = $2::uuid AND session.expires_at > now()
    AND bearer.status = 'active'`;

export const SWEEP = 'DELETE FROM service_sessions WHERE expires_at <= now()';
