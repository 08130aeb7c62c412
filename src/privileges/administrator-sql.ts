/**
 * Who can sign in. $1: the names of the configured providers; nobody can sign in at any other. $2: whether passwords are
 * accepted. $3: the policies that do not count.
 */
const CAN = `account.status = 'active' AND CASE account.provider
    WHEN 'default' THEN $2::boolean AND account.email IS NOT NULL AND account.password IS NOT NULL
    ELSE account.external_identifier IS NOT NULL AND account.provider = ANY($1::text[])
  END`;

/** The access that makes administrators, and the roles that it reaches: each with the line of roles down to it. */
const GRANTED = `
  WITH RECURSIVE granted AS (
    SELECT access.id, access.policy, access."user", access.role, access.expires_at IS NULL AS endless
    FROM service_access access JOIN service_policies policy ON policy.id = access.policy
    WHERE policy.admin_access AND policy.id <> ALL($3::uuid[])
      AND (access.expires_at IS NULL OR access.expires_at > now())
  ),
  assigned(id, policy, role, endless, line) AS (
    SELECT id, policy, role, endless, ARRAY[role] FROM granted WHERE role IS NOT NULL
    UNION ALL
    SELECT assigned.id, assigned.policy, role.id, assigned.endless, assigned.line || role.id
    FROM assigned JOIN service_roles role ON role.parent = assigned.role
    WHERE role.id <> ALL(assigned.line)
  )`;

/** Active users who can sign in and have an administrator's policy: by themselves, by their role, like everyone. */
const HOLDING = [
  {
    line: "'{}'::uuid[]",
    from: 'granted JOIN service_users account ON account.id = granted."user"',
  },
  {
    line: 'granted.line',
    from: 'assigned granted JOIN service_users account ON account.role = granted.role',
  },
  {
    line: "'{}'::uuid[]",
    from: 'granted JOIN service_users account ON granted."user" IS NULL AND granted.role IS NULL',
  },
];

/** @param lasting a condition on the access: any, or only one without an end */
const exists = (lasting: string): string =>
  HOLDING.map(({ from }) => `EXISTS (SELECT FROM ${from} WHERE ${CAN} AND ${lasting})`).join(
    ' OR ',
  );

export const LEVEL = `${GRANTED}
  SELECT CASE WHEN ${exists('granted.endless')} THEN 'lasting'
    WHEN ${exists('true')} THEN 'for now' ELSE 'none' END AS level`;

/** The rows that make one user an administrator. */
export interface AdministratorRows {
  readonly user: string;
  readonly roles: readonly string[];
  readonly access: string;
  readonly policy: string;
}

/** One of them. $4: only somebody with an access that has no end. */
export const SOMEONE = `${GRANTED}
  ${HOLDING.map(
    ({
      line,
      from,
    }) => `SELECT account.id AS "user", ${line} AS roles, granted.id AS access, granted.policy
  FROM ${from} WHERE ${CAN} AND (granted.endless OR NOT $4::boolean)`,
  ).join(' UNION ALL ')}
  ORDER BY "user", access LIMIT 1`;

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
