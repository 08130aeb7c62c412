import type { Queries } from '../database';
import { Networks } from '../common/networks';

/** A policy attached to a principal, and the conditions under which it applies. */
export interface Attachment {
  readonly policy: string;
  readonly administrator: boolean;
  /** Its holders may use the service's own pages, as far as their own profile goes. */
  readonly appAccess: boolean;
  /** Its holders must set up two-factor authentication first. */
  readonly enforcesTfa: boolean;
  /** Milliseconds since 1970; null: without end. */
  readonly expires: number | null;
  /** When the last attachment of the same policy ends. */
  readonly until: number | null;
  readonly networks: Networks;
}

/** A user, or a caller who is not signed in, and the policies attached to them. */
export interface Principal {
  readonly user: string | null;
  readonly role: string | null;
  /** The role and its ancestors. */
  readonly roles: readonly string[];
  /** Signs in with a second factor, or at a provider that counts as one; not required without a user. */
  readonly satisfiesTfa: boolean;
  readonly attachments: readonly Attachment[];
  /** Roughly how many bytes all this uses. */
  readonly weight: number;
}

/** One statement, so that roles and policies are of the same moment. */
const PRINCIPAL = `
  WITH RECURSIVE line(id, parent) AS (
    SELECT role.id, role.parent FROM service_roles role JOIN service_users principal ON principal.role = role.id
    WHERE principal.id = $1::uuid
    UNION
    SELECT role.id, role.parent FROM service_roles role JOIN line ON role.id = line.parent
  ), holder AS (
    SELECT principal.role, ARRAY(SELECT line.id::text FROM line) AS roles,
      principal.tfa_secret IS NOT NULL OR principal.provider = ANY($2::text[]) AS satisfies_tfa
    FROM service_users principal WHERE principal.id = $1::uuid
    UNION ALL
    SELECT NULL, '{}', true WHERE $1::uuid IS NULL
  ), attached AS (
    SELECT * FROM service_access WHERE "user" = $1::uuid
    UNION ALL
    SELECT * FROM service_access WHERE role = ANY(ARRAY(SELECT line.id FROM line))
    UNION ALL
    SELECT * FROM service_access WHERE "user" IS NULL AND role IS NULL
  )
  SELECT holder.role, holder.roles, holder.satisfies_tfa, access.policy, access.expires_at, policy.ip_access,
    policy.admin_access, policy.app_access, policy.enforce_tfa
  FROM holder LEFT JOIN attached access ON true LEFT JOIN service_policies policy ON policy.id = access.policy
  ORDER BY access.policy, access.id`;

interface HolderRow {
  readonly role: string | null;
  readonly roles: readonly string[];
  readonly satisfies_tfa: boolean;
}

interface AttachmentRow {
  readonly policy: string;
  readonly expires_at: string | null;
  readonly ip_access: readonly string[];
  readonly admin_access: boolean;
  readonly app_access: boolean;
  readonly enforce_tfa: boolean;
}

type PrincipalRow = HolderRow & (AttachmentRow | { readonly policy: null });

/**
 * @param trusted the providers whose sign-ins count as made with a second factor
 * @returns nothing where the user does not exist
 */
export async function loadPrincipal(
  database: Queries,
  user: string | null,
  trusted: readonly string[] = [],
): Promise<Principal | undefined> {
  const found = await database.query<PrincipalRow>(PRINCIPAL, [user, trusted]);
  const [holder] = found;
  if (!holder) return undefined;
  const rows = found.filter((row) => row.policy !== null);
  const attachments = attachmentsOf(rows);
  const { role, roles, satisfies_tfa: satisfiesTfa } = holder;
  const weight = weigh(roles, rows);
  return { user, role, roles, satisfiesTfa, attachments, weight };
}

function attachmentsOf(rows: readonly AttachmentRow[]): Attachment[] {
  const ends = new Map<string, number>();
  for (const row of rows) {
    ends.set(row.policy, Math.max(endOf(row), ends.get(row.policy) ?? 0));
  }
  return rows.map((row) => ({
    policy: row.policy,
    administrator: row.admin_access,
    appAccess: row.app_access,
    enforcesTfa: row.enforce_tfa,
    expires: limit(endOf(row)),
    until: limit(ends.get(row.policy) ?? Infinity),
    networks: new Networks(row.ip_access),
  }));
}

const endOf = ({ expires_at }: AttachmentRow): number =>
  expires_at === null ? Infinity : Date.parse(expires_at);

const limit = (end: number): number | null => (end === Infinity ? null : end);

const OF_PRINCIPAL = 500;
const OF_KEY = 60;
const OF_ATTACHMENT = 1_000;
const OF_NETWORK = 150;

const weigh = (roles: readonly string[], rows: readonly AttachmentRow[]): number =>
  rows.reduce(
    (sum, { ip_access }) => sum + OF_ATTACHMENT + OF_NETWORK * ip_access.length,
    OF_PRINCIPAL + OF_KEY * roles.length,
  );

/**
 * Whether a policy requires a second factor from them. A policy limited to some addresses counts as well: the next
 * request may come from there. True for a user who does not exist.
 */
export async function isTfaEnforced(database: Queries, user: string, now: Date): Promise<boolean> {
  const principal = await loadPrincipal(database, user);
  if (!principal) return true;
  return principal.attachments.some((each) => each.enforcesTfa && !isExpired(each, now));
}

/** The policies attached to them now, from any address; none where the user does not exist. */
export async function attachedPolicies(
  database: Queries,
  user: string,
  now: Date,
): Promise<ReadonlySet<string>> {
  const { attachments = [] } = (await loadPrincipal(database, user)) ?? {};
  return new Set(attachments.filter((each) => !isExpired(each, now)).map(({ policy }) => policy));
}

export const isExpired = ({ expires }: Attachment, now: Date): boolean =>
  expires !== null && expires <= now.getTime();
