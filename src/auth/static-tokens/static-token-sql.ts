/** The policies of a limited token; null: all of its user's. */
const POLICIES = `CASE WHEN token.narrowed THEN ARRAY(
    SELECT narrowing.policy::text FROM service_static_token_policies narrowing
    WHERE narrowing.token = token.id ORDER BY 1
  ) END AS policies`;

/** Expired ones are found as well, since they get an error of their own. */
export const FIND = `
  SELECT token.id, token.expires_at, ${POLICIES}
  FROM service_static_tokens token JOIN service_users principal ON principal.id = token."user"
  WHERE token.hash = $1 AND token."user" = $2::uuid AND principal.status = 'active'`;

export const LIST = `
  SELECT token.id, token.name, ${POLICIES}, token.created_at, token.last_used, token.expires_at
  FROM service_static_tokens token WHERE token."user" = $1::uuid
  ORDER BY token.created_at DESC, token.id`;

/** Makes tokens of a user one after another, and changes of their password wait for it. */
export const LOCK_USER = 'SELECT id FROM service_users WHERE id = $1::uuid FOR NO KEY UPDATE';

export const COUNT = `
  SELECT count(*)::int4 AS count FROM service_static_tokens WHERE "user" = $1::uuid`;

export const INSERT = `
  INSERT INTO service_static_tokens AS token (id, "user", hash, name, narrowed, expires_at)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5::boolean, $6::timestamptz) RETURNING token.created_at`;

/** A deleted policy can be neither locked nor inserted. */
export const NARROW = `
  INSERT INTO service_static_token_policies (token, policy)
  SELECT $1::uuid, policy.id FROM service_policies policy
  WHERE policy.id = ANY($2::uuid[]) ORDER BY policy.id FOR KEY SHARE
  RETURNING policy`;

export const END_ONE = `
  DELETE FROM service_static_tokens WHERE id = $1::uuid AND "user" = $2::uuid RETURNING id`;

/** All tokens of some users. */
export const END_TOKENS = 'DELETE FROM service_static_tokens WHERE "user" = ANY($1::uuid[])';
