const MILLISECOND = "interval '1 millisecond'";

/** Inserts nothing where too many are waiting. */
export const ADD = `
  INSERT INTO service_jobs (id, queue, content, expires_at, next_try)
  SELECT $1::uuid, $2::text, $3::text, $4::timestamptz, now() + $6::int4 * ${MILLISECOND}
  WHERE (SELECT count(*) FROM (SELECT FROM service_jobs WHERE queue = $2::text LIMIT $5::int4) waiting) < $5::int4
  RETURNING id`;

/**
 * A lease: no lock and no transaction is held during the work. Jobs that this worker is still running ($5) are skipped,
 * even if their lease could not be renewed.
 */
export const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT id FROM service_jobs WHERE queue = $1 AND next_try <= now() AND expires_at > now() AND id <> ALL ($5::uuid[])
    ORDER BY next_try LIMIT $3::int4 FOR UPDATE SKIP LOCKED
  )
  UPDATE service_jobs job SET attempts = attempts + 1, claim = $2::uuid,
    next_try = now() + $4::int4 * ${MILLISECOND}
  FROM due WHERE job.id = due.id
  RETURNING job.id, job.content, job.attempts, job.expires_at`;

export const RENEW = `
  UPDATE service_jobs SET next_try = now() + $3::int4 * ${MILLISECOND}
  WHERE id = $1::uuid AND claim = $2::uuid`;

export const FINISH =
  'DELETE FROM service_jobs WHERE id = $1::uuid AND claim = $2::uuid RETURNING 1';

/**
 * Each wait is twice as long as the last, with a random deviation of a quarter, so that jobs that failed together are
 * not retried together. No wait is longer than until the job expires: EXPIRE then deletes it, with the secrets that it
 * may contain.
 */
export const FAIL = `
  UPDATE service_jobs SET claim = NULL, last_fault = $3, next_try = least(expires_at, now()
    + least($4::float8 * power(2, least(attempts - 1, 20)), $5::float8) * (0.75 + random() / 2) * ${MILLISECOND})
  WHERE id = $1::uuid AND claim = $2::uuid`;

/** Jobs that are being worked on are skipped. */
export const EXPIRE =
  'DELETE FROM service_jobs WHERE queue = $1 AND expires_at <= now() AND next_try <= now() RETURNING 1';

/** Milliseconds until the next job is due, apart from those that this worker is still running ($2); null without one. */
export const NEXT = `
  SELECT (extract(epoch FROM min(next_try) - now()) * 1000)::float8 AS wait
  FROM service_jobs WHERE queue = $1 AND id <> ALL ($2::uuid[])`;

export const STATE = `
  SELECT count(*)::int4 AS waiting, count(last_fault)::int4 AS failing, max(last_fault) AS last_fault,
    extract(epoch FROM now() - min(created_at))::int4 AS oldest
  FROM service_jobs WHERE queue = $1`;

/** Of every queue with jobs. */
export const BACKLOG = `
  SELECT queue, count(*)::int4 AS waiting, count(last_fault)::int4 AS failing
  FROM service_jobs GROUP BY queue`;
