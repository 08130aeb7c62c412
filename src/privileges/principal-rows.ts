import type { Queries } from '../database';
import type { PolicyVerdict } from '../engine';
import type { Key } from '../repository';
import type { GuardedRow } from './guarded-row';

/**
 * The rows, and the users whose policies count for each. `principal`: the user; `branch`: users of a role and of all
 * roles below it; `everyone`: all users.
 */
const USERS = `
  SELECT id, id AS principal, NULL::uuid AS branch, false AS everyone, NULL::text AS enforces,
    NULL::uuid AS policy, jsonb_build_object(
      'role', role, 'status', status, 'email', email, 'password', password, 'provider', provider,
      'external_identifier', external_identifier, 'tfa_secret', tfa_secret, 'last_access', last_access,
      'date_created', date_created, 'now', now()::timestamptz(3)) AS state
  FROM service_users WHERE id = ANY($1::uuid[])`;

const ROLES = `
  SELECT id, NULL::uuid AS principal, id AS branch, false AS everyone, NULL::text AS enforces,
    NULL::uuid AS policy, jsonb_build_object('parent', parent) AS state
  FROM service_roles WHERE id = ANY($1::uuid[])`;

/** An attachment that is changed in any way counts as detached before and attached after, so all of it is compared. */
const access = (column: 'id' | 'policy'): string => `
  SELECT access.id, access."user" AS principal, access.role AS branch,
    access."user" IS NULL AND access.role IS NULL AS everyone,
    CASE WHEN policy.enforce_tfa THEN concat_ws(' ', access.policy, access."user", access.role, access.expires_at)
      END AS enforces,
    access.policy, jsonb_build_object('policy', access.policy, 'user', access."user",
      'role', access.role, 'expires_at', access.expires_at) AS state
  FROM service_access access JOIN service_policies policy ON policy.id = access.policy
  WHERE access.${column} = ANY($1::uuid[])`;

/** The policies that the caller holds, and until when; both null for an administrator, who holds everything. */
const heldRows = (policies: string, ends: string): string =>
  `held AS (SELECT * FROM unnest(${policies}::uuid[], ${ends}::timestamptz[]) AS policy(id, until))`;

/** A holder of a temporary policy cannot grant it for longer. */
const OUTLASTS = `NOT EXISTS (
  SELECT FROM held WHERE held.id = access.policy AND held.until >= coalesce(access.expires_at, 'infinity'))`;
const EXCEEDS = `$2::uuid[] IS NOT NULL AND ${OUTLASTS}`;

/**
 * $1: keys; $2 and $3: the caller's policies. Users are found through attachments, and not listed: a role may have any
 * number of them.
 */
const guardedBy = (touched: string): string => `
  WITH RECURSIVE touched AS (${touched}),
  ${heldRows('$2', '$3')},
  assigned AS (
    SELECT touched.*, coalesce(touched.branch, member.role) AS role
    FROM touched LEFT JOIN service_users member ON member.id = touched.principal
  ),
  above(start, id) AS (
    SELECT role, role FROM assigned WHERE role IS NOT NULL
    UNION
    SELECT above.start, role.parent FROM above JOIN service_roles role ON role.id = above.id
    WHERE role.parent IS NOT NULL
  ),
  below(start, id) AS (
    SELECT branch, branch FROM touched WHERE branch IS NOT NULL
    UNION
    SELECT below.start, role.id FROM below JOIN service_roles role ON role.parent = below.id
  ),
  inherited AS (
    SELECT above.start, access.policy, ${EXCEEDS} AS exceeds
    FROM above JOIN service_access access ON access.role = above.id
  ),
  granted_below AS (
    SELECT below.start FROM below JOIN service_access access ON access.role = below.id
    WHERE ${EXCEEDS}
    UNION
    SELECT below.start FROM below JOIN service_users member ON member.role = below.id
    JOIN service_access access ON access."user" = member.id
    WHERE ${EXCEEDS}
  ),
  personal AS (
    SELECT touched.id, access.policy, ${EXCEEDS} AS exceeds
    FROM touched JOIN service_access access ON access."user" = touched.principal
  ),
  itself AS (
    SELECT access.id, access.policy, ${EXCEEDS} AS exceeds
    FROM touched JOIN service_access access ON access.id = touched.id WHERE touched.policy IS NOT NULL
  ),
  had AS (
    SELECT assigned.id, inherited.policy, inherited.exceeds
    FROM assigned JOIN inherited ON inherited.start = assigned.role
    UNION SELECT * FROM personal UNION SELECT * FROM itself
  ),
  summary AS (
    SELECT had.id, bool_or(policy.admin_access) AS administers, bool_or(had.exceeds) AS exceeds,
      array_agg(DISTINCT policy.id::text ORDER BY policy.id::text) FILTER (WHERE policy.enforce_tfa) AS enforcing
    FROM had JOIN service_policies policy ON policy.id = had.policy GROUP BY had.id
  ),
  guarded AS (
    SELECT assigned.id, assigned.state, coalesce(summary.administers, false) AS administers,
      coalesce(summary.exceeds, false) OR coalesce(assigned.branch IN (SELECT start FROM granted_below), false)
        OR assigned.everyone AND EXISTS (
          SELECT FROM service_access access WHERE ${EXCEEDS}
        ) AS exceeds,
      CASE WHEN assigned.policy IS NULL THEN coalesce(summary.enforcing, '{}')
        ELSE array_remove(ARRAY[assigned.enforces], NULL) END AS enforcing
    FROM assigned LEFT JOIN summary ON summary.id = assigned.id
  )`;

const ALL = 'SELECT id, state, exceeds, administers, enforcing FROM guarded';
const OF_USERS = `${guardedBy(USERS)} ${ALL}`;
const OF_ROLES = `${guardedBy(ROLES)} ${ALL}`;
const OF_ACCESS = `${guardedBy(access('id'))} ${ALL}`;
const OF_POLICIES = `${guardedBy(access('policy'))}
  SELECT state->>'policy' AS id, bool_or(exceeds) AS exceeds FROM guarded GROUP BY 1`;

const ROLE = `
  WITH RECURSIVE ${heldRows('$2', '$3')},
  above(id) AS (
    SELECT id FROM service_roles WHERE id = $1::uuid
    UNION
    SELECT role.parent FROM above JOIN service_roles role ON role.id = above.id WHERE role.parent IS NOT NULL
  )
  SELECT EXISTS (SELECT FROM above) AND NOT EXISTS (
    SELECT FROM above JOIN service_access access ON access.role = above.id
    WHERE ${OUTLASTS}
  ) AS holds`;

/** The policies in force for the caller; null stands for an administrator, who holds all. */
export type HeldPolicies = readonly Pick<PolicyVerdict, 'policy' | 'until'>[] | null;

/** Users, judged by all that they have. */
export const guardedUsers = (
  tx: Queries,
  keys: readonly Key[],
  held: HeldPolicies,
): Promise<GuardedRow[]> => tx.query<GuardedRow>(OF_USERS, [keys, ...valuesOf(held)]);

/** Roles, which concern the users of the role and of all roles below it. */
export const guardedRoles = (
  tx: Queries,
  keys: readonly Key[],
  held: HeldPolicies,
): Promise<GuardedRow[]> => tx.query<GuardedRow>(OF_ROLES, [keys, ...valuesOf(held)]);

/** Access rows, which concern those whom they attach a policy to. */
export const guardedAccess = (
  tx: Queries,
  keys: readonly Key[],
  held: HeldPolicies,
): Promise<GuardedRow[]> => tx.query<GuardedRow>(OF_ACCESS, [keys, ...valuesOf(held)]);

/** For each of the policies that is attached to anybody: whether one of its users has a policy that is not held. */
export const accessOfPolicies = (
  tx: Queries,
  policies: readonly Key[],
  held: HeldPolicies,
): Promise<Pick<GuardedRow, 'id' | 'exceeds'>[]> =>
  tx.query(OF_POLICIES, [policies, ...valuesOf(held)]);

/** Whether the role exists, and its users get nothing that the caller does not hold. */
export async function holdsRole(tx: Queries, role: string, held: HeldPolicies): Promise<boolean> {
  const [found] = await tx.query<{ holds: boolean }>(ROLE, [role, ...valuesOf(held)]);
  return found?.holds === true;
}

const valuesOf = (policies: HeldPolicies): [string[] | null, string[] | null] =>
  policies === null
    ? [null, null]
    : [
        policies.map(({ policy }) => policy),
        policies.map(({ until }) =>
          until === undefined ? 'infinity' : new Date(until).toISOString(),
        ),
      ];
