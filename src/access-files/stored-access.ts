import type { Action } from '../engine';
import type { Queries } from '../database';
import type { AccessState, Grant, Json, PolicyState, RoleState, RuleFields } from './access-state';
import { canonicalGrants, canonicalJson, canonicalNames, canonicalRules } from './canonical';
import { grantKey, type StoredAccess } from './compare';
import { groupBy } from './group-by';
import { keysOf } from './keys';
import type { StoredRule } from './match-rules';
import {
  likeReferenceIn,
  policyReference,
  type Reference,
  roleReference,
  withReferences,
} from './references';

/** Blocks all other writers of these tables until the transaction ends, but no readers. */
export const LOCK = `LOCK TABLE service_roles, service_policies, service_access, service_permissions
  IN SHARE ROW EXCLUSIVE MODE`;

const ROLES = 'SELECT id, key, name, icon, description, managed, parent FROM service_roles';
const POLICIES = `SELECT id, key, name, icon, description, managed, ip_access, enforce_tfa, admin_access,
  app_access
  FROM service_policies`;
const GRANTS =
  'SELECT id, policy, role, expires_at, managed FROM service_access WHERE "user" IS NULL';
const RULES = `SELECT id, policy, collection, action, permissions, validation, presets, fields, explain
  FROM service_permissions ORDER BY id`;

interface Keyed {
  readonly id: string;
  readonly key: string | null;
  readonly name: string;
  readonly icon: string | null;
  readonly description: string | null;
  readonly managed: string | null;
}

interface RoleRow extends Keyed {
  readonly parent: string | null;
}

interface PolicyRow extends Keyed {
  readonly ip_access: readonly string[];
  readonly enforce_tfa: boolean;
  readonly admin_access: boolean;
  readonly app_access: boolean;
}

interface GrantRow {
  readonly id: string;
  readonly policy: string;
  readonly role: string | null;
  readonly expires_at: string | null;
  readonly managed: string | null;
}

interface RuleRow {
  readonly id: number;
  readonly policy: string;
  readonly collection: string;
  readonly action: Action;
  readonly permissions: Json;
  readonly validation: Json;
  readonly presets: Json;
  readonly fields: readonly string[];
  readonly explain: boolean;
}

/**
 * Reads the state of the database in the form of a file.
 * @param queries a transaction in which none of it changes meanwhile
 */
export async function readStoredAccess(queries: Queries): Promise<StoredAccess> {
  const roles = await queries.query<RoleRow>(ROLES);
  const policies = await queries.query<PolicyRow>(POLICIES);
  const roleKeys = keysOf(roles, 'role');
  const policyKeys = keysOf(policies, 'policy');
  const rules = readRules(await queries.query<RuleRow>(RULES), roleKeys, policyKeys);
  const grants = readGrants(await queries.query<GrantRow>(GRANTS), roleKeys, policyKeys);
  const state: AccessState = {
    roles: new Map(roles.map((row) => readRole(row, roleKeys, grants))),
    policies: new Map(policies.map((row) => readPolicy(row, policyKeys, rules))),
    everyone: canonicalGrants(grants.get(null) ?? []),
  };
  const allGrants = [...grants.values()].flat();
  return {
    state,
    rules,
    roleIds: idsOf(roleKeys),
    policyIds: idsOf(policyKeys),
    grantIds: new Map(allGrants.map((each) => [each.key, each.id])),
    keyless: { roles: keyless(roles, roleKeys), policies: keyless(policies, policyKeys) },
    managed: {
      roles: managedIn(roles, ({ id }) => keyOf(roleKeys, id)),
      policies: managedIn(policies, ({ id }) => keyOf(policyKeys, id)),
      grants: managedIn(allGrants, ({ key }) => key),
    },
  };
}

type Keys = ReadonlyMap<string, string>;

/** Every id has a row, because of the foreign keys. */
const keyOf = (keys: Keys, id: string): string => keys.get(id) ?? id;

const idsOf = (keys: Keys): Map<string, string> => new Map([...keys].map(([id, key]) => [key, id]));

const keyless = (rows: readonly Keyed[], keys: Keys): string[] =>
  rows.filter(({ key }) => key === null).map(({ id }) => keyOf(keys, id));

const managedIn = <T extends { readonly managed: string | null }>(
  rows: readonly T[],
  keyed: (row: T) => string,
): Map<string, string> =>
  new Map(rows.flatMap((row) => (row.managed === null ? [] : [[keyed(row), row.managed]])));

interface StoredGrant extends Grant {
  readonly id: string;
  readonly key: string;
  readonly managed: string | null;
}

type Grants = ReadonlyMap<string | null, readonly StoredGrant[]>;

function readGrants(rows: readonly GrantRow[], roleKeys: Keys, policyKeys: Keys): Grants {
  const grants = rows.map(({ id, role: roleId, policy: attached, expires_at: until, managed }) => {
    const role = roleId === null ? null : keyOf(roleKeys, roleId);
    const policy = keyOf(policyKeys, attached);
    const expires_at = until === null ? null : new Date(until).toISOString();
    return { id, role, policy, expires_at, managed, key: grantKey(role, policy) };
  });
  return groupBy(grants, ({ role }) => role);
}

function readRole(
  { id, name, icon, description, parent }: RoleRow,
  keys: Keys,
  grants: Grants,
): [string, RoleState] {
  const key = keyOf(keys, id);
  const fields = {
    name,
    icon,
    description,
    parent: parent === null ? null : keyOf(keys, parent),
  };
  return [key, { fields, grants: canonicalGrants(grants.get(key) ?? []) }];
}

function readPolicy(
  { id, key: _, managed: __, ip_access, ...fields }: PolicyRow,
  keys: Keys,
  rules: ReadonlyMap<string, readonly StoredRule[]>,
): [string, PolicyState] {
  const key = keyOf(keys, id);
  const own = (rules.get(key) ?? []).map(({ rule }) => rule);
  return [
    key,
    {
      fields: { ...fields, ip_access: canonicalNames(ip_access) },
      rules: canonicalRules(own),
    },
  ];
}

function readRules(
  rows: readonly RuleRow[],
  roleKeys: Keys,
  policyKeys: Keys,
): Map<string, StoredRule[]> {
  const byId = new Map<string, Reference>([
    ...[...roleKeys].map(([id, key]) => [id, roleReference(key)] as const),
    ...[...policyKeys].map(([id, key]) => [id, policyReference(key)] as const),
  ]);
  const filter = (json: Json): Json => canonicalJson(withReferences(json, byId));
  const rules = rows.map(({ id, policy, ...row }) => {
    const rule: RuleFields = {
      collection: row.collection,
      action: row.action,
      fields: canonicalNames(row.fields),
      permissions: filter(row.permissions),
      validation: filter(row.validation),
      presets: filter(row.presets),
      explain: row.explain,
    };
    const like = likeReferenceIn(row);
    const stored = { id, rule, ...(like !== undefined && { likeReference: like.text }) };
    return { policy: keyOf(policyKeys, policy), stored };
  });
  return new Map(
    [...groupBy(rules, ({ policy }) => policy)].map(([policy, each]) => [
      policy,
      each.map(({ stored }) => stored),
    ]),
  );
}
