import { InvalidPayload } from '../common/errors';
import { type Queries, takeAdvisoryLock } from '../database';

/**
 * Serializes changes of rights: of two requests that would each remove one of the last two administrators, the second
 * sees what the first did.
 */
const LOCK = takeAdvisoryLock('administrators');

/**
 * Active users who can sign in and have an administrator's policy.
 * @param lasting a condition on the access: any, or only one without an end
 */
const someone = (lasting: string): string => `
  EXISTS (
    SELECT FROM granted JOIN service_users account ON account.id = granted."user" WHERE ${CAN} AND ${lasting}
  ) OR EXISTS (
    SELECT FROM assigned granted JOIN service_users account ON account.role = granted.role WHERE ${CAN} AND ${lasting}
  ) OR EXISTS (
    SELECT FROM granted JOIN service_users account ON granted."user" IS NULL AND granted.role IS NULL
    WHERE ${CAN} AND ${lasting}
  )`;

const CAN = `account.status = 'active' AND CASE account.provider
    WHEN 'default' THEN account.email IS NOT NULL AND account.password IS NOT NULL
    ELSE account.external_identifier IS NOT NULL
  END`;

const LEVEL = `
  WITH RECURSIVE granted AS (
    SELECT access."user", access.role, access.expires_at IS NULL AS endless
    FROM service_access access JOIN service_policies policy ON policy.id = access.policy
    WHERE policy.admin_access AND (access.expires_at IS NULL OR access.expires_at > now())
  ),
  assigned(role, endless) AS (
    SELECT role, endless FROM granted WHERE role IS NOT NULL
    UNION
    SELECT role.id, assigned.endless FROM assigned JOIN service_roles role ON role.parent = assigned.role
  )
  SELECT CASE WHEN ${someone('granted.endless')} THEN 'lasting'
    WHEN ${someone('true')} THEN 'for now' ELSE 'none' END AS level`;

/** Whether there is an administrator who can sign in: with endless access, or only with access that will end. */
export type Level = 'none' | 'for now' | 'lasting';

const ORDER: readonly Level[] = ['none', 'for now', 'lasting'];

export async function readLevel(tx: Queries): Promise<Level> {
  const [row] = await tx.query<{ level: Level }>(LEVEL);
  return row?.level ?? 'none';
}

export const lockPrivileges = (tx: Queries): Promise<unknown> => tx.query(LOCK);

/**
 * Call this in the transaction after all writes, while it holds the lock of `lockPrivileges`.
 * @param field the written field that removed the last administrator
 * @throws InvalidPayload
 */
export async function refuseFewer(tx: Queries, before: Level, field: string): Promise<void> {
  if (ORDER.indexOf(await readLevel(tx)) >= ORDER.indexOf(before)) return;
  throw new InvalidPayload({ field, reason: 'would leave no active administrator' });
}
