import type { Queries } from '../database';
import type { PolicyVerdict } from '../engine';
import { Networks } from '../common/networks';

/** A policy attached to somebody, and under which conditions it serves. */
export interface Attachment {
  readonly policy: string;
  readonly administrator: boolean;
  /** Milliseconds since 1970; null: for ever. */
  readonly expires: number | null;
  readonly networks: Networks;
}

/** Somebody, or nobody, and the policies that are attached to them. */
export interface Bearer {
  readonly user: string | null;
  readonly role: string | null;
  /** The role and its ancestors. */
  readonly roles: readonly string[];
  readonly attachments: readonly Attachment[];
  /** About how many bytes all this keeps. */
  readonly weight: number;
}

const ROLES = `
  WITH RECURSIVE line(id, parent) AS (
    SELECT role.id, role.parent FROM service_roles role JOIN service_users bearer ON bearer.role = role.id
    WHERE bearer.id = $1::uuid
    UNION
    SELECT role.id, role.parent FROM service_roles role JOIN line ON role.id = line.parent
  )
  SELECT bearer.role, ARRAY(SELECT line.id::text FROM line) AS roles
  FROM service_users bearer WHERE bearer.id = $1::uuid`;

const ATTACHMENTS = `
  SELECT access.policy, access.expires_at, policy.ip_access, policy.admin_access
  FROM service_access access JOIN service_policies policy ON policy.id = access.policy
  WHERE access."user" = $1::uuid OR access.role = ANY($2::uuid[])
    OR (access."user" IS NULL AND access.role IS NULL)
  ORDER BY access.policy, access.id`;

interface RoleRow {
  readonly role: string | null;
  readonly roles: readonly string[];
}

interface AttachmentRow {
  readonly policy: string;
  readonly expires_at: string | null;
  readonly ip_access: readonly string[];
  readonly admin_access: boolean;
}

/** @returns nothing where the user does not exist */
export async function loadBearer(
  database: Queries,
  user: string | null,
): Promise<Bearer | undefined> {
  const [found] =
    user === null ? [{ role: null, roles: [] }] : await database.query<RoleRow>(ROLES, [user]);
  if (!found) return undefined;
  const rows = await database.query<AttachmentRow>(ATTACHMENTS, [user, found.roles]);
  const attachments = rows.map((row) => ({
    policy: row.policy,
    administrator: row.admin_access,
    expires: row.expires_at === null ? null : Date.parse(row.expires_at),
    networks: new Networks(row.ip_access),
  }));
  const weight = weigh(found.roles, rows);
  return { user, role: found.role, roles: found.roles, attachments, weight };
}

const OF_BEARER = 500;
const OF_KEY = 60;
const OF_ATTACHMENT = 1_000;
const OF_NETWORK = 150;

const weigh = (roles: readonly string[], rows: readonly AttachmentRow[]): number =>
  rows.reduce(
    (sum, { ip_access }) => sum + OF_ATTACHMENT + OF_NETWORK * ip_access.length,
    OF_BEARER + OF_KEY * roles.length,
  );

/** Which of the bearer's policies serve now and from this address. Attached twice, a policy serves if one of both does. */
export function judgePolicies(bearer: Bearer, now: Date, ip: string | null): PolicyVerdict[] {
  const verdicts = new Map<string, PolicyVerdict>();
  for (const attachment of bearer.attachments) {
    const verdict = judge(attachment, now, ip);
    if (verdicts.get(attachment.policy)?.verdict !== 'in force') {
      verdicts.set(attachment.policy, { policy: attachment.policy, verdict });
    }
  }
  return [...verdicts.values()];
}

function judge(attachment: Attachment, now: Date, ip: string | null): PolicyVerdict['verdict'] {
  if (attachment.expires !== null && attachment.expires <= now.getTime()) return 'expired';
  return attachment.networks.holds(ip) ? 'in force' : 'address';
}
