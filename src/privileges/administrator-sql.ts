/**
 * Who can sign in. $1: the names of the configured providers; nobody can sign in at any other. $2: whether passwords are
 * accepted. $3: the policies that do not count.
 */
const CAN = `account.status = 'active' AND CASE account.provider
    WHEN 'default' THEN $2::boolean AND account.email IS NOT NULL AND account.password IS NOT NULL
    ELSE account.external_identifier IS NOT NULL AND account.provider = ANY($1::text[])
  END`;

/** The access that makes administrators, and the roles that it reaches. */
const GRANTED = `
  WITH RECURSIVE granted AS (
    SELECT access.id, access.policy, access."user", access.role, access.expires_at IS NULL AS endless
    FROM service_access access JOIN service_policies policy ON policy.id = access.policy
    WHERE policy.admin_access AND policy.id <> ALL($3::uuid[])
      AND (access.expires_at IS NULL OR access.expires_at > now())
  ),
  assigned(role, endless) AS (
    SELECT role, endless FROM granted WHERE role IS NOT NULL
    UNION
    SELECT role.id, assigned.endless FROM assigned JOIN service_roles role ON role.parent = assigned.role
  )`;

/** Active users who can sign in and have an administrator's policy: by themselves, by their role, like everyone. */
const BY_THEMSELVES = 'granted JOIN service_users account ON account.id = granted."user"';
const BY_ROLE = 'assigned granted JOIN service_users account ON account.role = granted.role';
const LIKE_EVERYONE =
  'granted JOIN service_users account ON granted."user" IS NULL AND granted.role IS NULL';

/** @param lasting a condition on the access: any, or only one without an end */
const exists = (lasting: string): string =>
  [BY_THEMSELVES, BY_ROLE, LIKE_EVERYONE]
    .map((holders) => `EXISTS (SELECT FROM ${holders} WHERE ${CAN} AND ${lasting})`)
    .join(' OR ');

export const LEVEL = `${GRANTED}
  SELECT CASE WHEN ${exists('granted.endless')} THEN 'lasting'
    WHEN ${exists('true')} THEN 'for now' ELSE 'none' END AS level`;

/** The rows that make one user an administrator. */
export interface AdministratorRows {
  readonly user: string;
  /** From their role up to the one that the access is for. */
  readonly roles: readonly string[];
  readonly access: string;
  readonly policy: string;
}

const LASTING = '(granted.endless OR NOT $4::boolean)';

/** The first of some holders. @param role the one that their access comes by */
const first = (holders: string, role: string): string =>
  `(SELECT account.id, ${role} AS role FROM ${holders} WHERE ${CAN} AND ${LASTING} ORDER BY account.id LIMIT 1)`;

/** One of them. $4: only somebody with an access that has no end. */
export const SOMEONE = `${GRANTED},
  holder AS (
    SELECT id, role FROM (
      ${first(BY_THEMSELVES, 'NULL::uuid')} UNION ALL ${first(BY_ROLE, 'account.role')}
      UNION ALL ${first(LIKE_EVERYONE, 'NULL::uuid')}
    ) found ORDER BY id, role LIMIT 1
  ),
  line(role, roles) AS (
    SELECT role, ARRAY[role] FROM holder WHERE role IS NOT NULL
    UNION ALL
    SELECT role.parent, line.roles || role.parent FROM line JOIN service_roles role ON role.id = line.role
    WHERE role.parent <> ALL(line.roles)
      AND NOT EXISTS (SELECT FROM granted WHERE granted.role = line.role AND ${LASTING})
  )
  SELECT holder.id AS "user", coalesce(line.roles, '{}') AS roles, granted.id AS access, granted.policy
  FROM holder LEFT JOIN line ON true JOIN granted ON ${LASTING} AND CASE
    WHEN holder.role IS NOT NULL THEN granted.role = line.role
    ELSE granted."user" = holder.id OR (granted."user" IS NULL AND granted.role IS NULL)
  END
  ORDER BY access LIMIT 1`;

const share = (table: string): string =>
  `SELECT FROM ${table} WHERE id = ANY($1::uuid[]) ORDER BY id FOR SHARE`;

/** Each with its keys as the only value. */
export const SHARE = {
  users: share('service_users'),
  roles: share('service_roles'),
  access: share('service_access'),
  policies: share('service_policies'),
};

export const BOUND = `
  SELECT id, ip_access FROM service_policies WHERE admin_access AND cardinality(ip_access) > 0`;
