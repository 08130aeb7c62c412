import type { Queries } from '../../database';

/** Policies that hold for some addresses alone count as well: the next request may come from there. */
const ENFORCED = `
  WITH RECURSIVE line(id, parent) AS (
    SELECT role.id, role.parent FROM service_roles role JOIN service_users bearer ON bearer.role = role.id
    WHERE bearer.id = $1::uuid
    UNION
    SELECT role.id, role.parent FROM service_roles role JOIN line ON role.id = line.parent
  )
  SELECT EXISTS (
    SELECT FROM service_access access JOIN service_policies policy ON policy.id = access.policy
    WHERE policy.enforce_tfa AND (access.expires_at IS NULL OR access.expires_at > now())
      AND (access."user" = $1::uuid OR access.role IN (SELECT id FROM line)
        OR (access."user" IS NULL AND access.role IS NULL))
  ) AS enforced`;

/** Whether a policy of theirs asks for a second factor. */
export async function isTfaEnforced(database: Queries, user: string): Promise<boolean> {
  const [row] = await database.query<{ enforced: boolean }>(ENFORCED, [user]);
  return row?.enforced !== false;
}
