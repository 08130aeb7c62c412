import type { Queries } from '../../database';
import type { AccessState } from '../access-state';
import { readAccessFile } from '../read-file';
import { writeAccessFile } from '../write-file';
import type { ReadRules } from './read-managed-rules';

interface StoredRules {
  readonly key: string;
  readonly version: number;
  readonly content: string;
  /** How many rules are left of them, and fields that these list: fewer where a migration dropped what they name. */
  readonly size: number;
}

const READ = `SELECT key, version, content, (
    SELECT count(*) + coalesce(sum(cardinality(fields)), 0) FROM service_permissions rule
    WHERE rule.managed = stored.key
  )::int AS size
  FROM service_managed_rules stored WHERE key = ANY($1::text[])`;
const KEEP = `INSERT INTO service_managed_rules (key, version, content) VALUES ($1, $2, $3)
  ON CONFLICT (key) DO UPDATE SET version = excluded.version, content = excluded.content`;

/** Rows with the `key` of a module's rules in `managed` are changed neither by files nor by requests. */
const MANAGE_ROLES = 'UPDATE service_roles SET managed = $1 WHERE key = ANY($2::text[])';
const MANAGE_POLICIES = 'UPDATE service_policies SET managed = $1 WHERE key = ANY($2::text[])';
const MANAGE_RULES = `UPDATE service_permissions rule SET managed = $1 FROM service_policies policy
  WHERE rule.policy = policy.id AND policy.key = ANY($2::text[])`;
const MANAGE_GRANTS = `UPDATE service_access access SET managed = $1
  FROM unnest($2::text[], $3::text[]) AS given(role, policy)
  JOIN service_policies policy ON policy.key = given.policy
  LEFT JOIN service_roles role ON role.key = given.role
  WHERE access.policy = policy.id AND access."user" IS NULL
    AND access.role IS NOT DISTINCT FROM role.id`;

/** The rules of modules as they were last applied, by the `key` of their `ManagedRules`. */
export async function readStoredRules(
  queries: Queries,
  keys: readonly string[],
): Promise<Map<string, StoredRules>> {
  const rows = await queries.query<StoredRules>(READ, [keys]);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Whether both mean the same, even if an older version of the service wrote the stored text in another form. */
export const isSame = ({ content }: ReadRules, stored: StoredRules): boolean =>
  content === stored.content ||
  content === writeAccessFile(readAccessFile(Buffer.from(stored.content)).state);

/** Whether a rule or a field of one is missing, as after a migration that was reverted and run again. */
export const isIncomplete = ({ state }: ReadRules, stored: StoredRules): boolean =>
  sizeOf(state) !== stored.size;

const sizeOf = ({ policies }: AccessState): number =>
  [...policies.values()]
    .flatMap(({ rules }) => rules)
    .reduce((size, { fields }) => size + 1 + fields.length, 0);

/** Stores the applied rules, and sets `managed` of their rows. */
export async function storeRules(tx: Queries, rules: ReadRules): Promise<void> {
  const { key, version, state, content } = rules;
  const policies = [...state.policies.keys()];
  await tx.query(MANAGE_ROLES, [key, [...state.roles.keys()]]);
  await tx.query(MANAGE_POLICIES, [key, policies]);
  await tx.query(MANAGE_RULES, [key, policies]);
  const grants = grantsOf(state);
  await tx.query(MANAGE_GRANTS, [
    key,
    grants.map(({ role }) => role),
    grants.map(({ policy }) => policy),
  ]);
  await tx.query(KEEP, [key, version, content]);
}

const grantsOf = ({ roles, everyone }: AccessState): { role: string | null; policy: string }[] => [
  ...[...roles].flatMap(([role, { grants }]) => grants.map(({ policy }) => ({ role, policy }))),
  ...everyone.map(({ policy }) => ({ role: null, policy })),
];
