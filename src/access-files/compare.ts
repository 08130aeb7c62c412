import { byText } from './canonical';
import type { AccessState, Grant, PolicyFields, RoleFields, RuleFields } from './access-state';
import { differingFields, matchRules, type StoredRule } from './match-rules';

/** One change that makes the database match the file. */
export type Change =
  | RowChange<'role', RoleFields>
  | RowChange<'policy', PolicyFields>
  | (RowChange<'rule', RuleFields> & { readonly policy: string })
  | (RowChange<'grant', Pick<Grant, 'expires_at'>> & {
      readonly policy: string;
      /** Null: attached to everyone. */
      readonly role: string | null;
    });

interface RowChange<Kind extends string, Fields> {
  readonly kind: Kind;
  readonly action: 'create' | 'update' | 'delete';
  /** The key of a role or policy; for others an identifying text. */
  readonly key: string;
  /** The row's id; undefined where it is created. */
  readonly id?: string | number;
  readonly from?: Fields;
  readonly to?: Fields;
  /** The fields that an update changes. */
  readonly fields: readonly string[];
}

/** What a database holds, with the ids of its rows. */
export interface StoredAccess {
  readonly state: AccessState;
  readonly roleIds: ReadonlyMap<string, string>;
  readonly policyIds: ReadonlyMap<string, string>;
  /** By policy, in the order of their ids. */
  readonly rules: ReadonlyMap<string, readonly StoredRule[]>;
  /** By `grantKey`. */
  readonly grantIds: ReadonlyMap<string, string>;
  /** Roles and policies that were found by name and have no key yet. */
  readonly keyless: { readonly roles: readonly string[]; readonly policies: readonly string[] };
  readonly managed: Managed;
}

/**
 * What modules provide, by the key of the role or policy, or by `grantKey`; the value is the `key` of its
 * `ManagedRules`.
 */
interface Managed {
  readonly roles: ReadonlyMap<string, string>;
  readonly policies: ReadonlyMap<string, string>;
  readonly grants: ReadonlyMap<string, string>;
}

/** Identifies a grant within an access state; a `role` of null stands for everyone. */
export const grantKey = (role: string | null, policy: string): string => `${role ?? '*'} ${policy}`;

/** The differences between the file and the database. */
export function compareAccess(file: AccessState, stored: StoredAccess): Change[] {
  return [
    ...compareRoles(file, stored),
    ...comparePolicies(file, stored),
    ...compareGrants(file, stored),
    ...[...union(file.policies, stored.state.policies)].flatMap((key) =>
      compareRules(key, file, stored),
    ),
  ];
}

const union = (...maps: readonly ReadonlyMap<string, unknown>[]): Set<string> =>
  new Set(maps.flatMap((map) => [...map.keys()]).toSorted(byText));

function compareRoles({ roles }: AccessState, { state, roleIds }: StoredAccess): Change[] {
  return [...union(roles, state.roles)].flatMap((key): Change[] => {
    const [from, to] = [state.roles.get(key)?.fields, roles.get(key)?.fields];
    const change = compareRow(from, to, roleIds.get(key));
    return change ? [{ kind: 'role', key, ...change }] : [];
  });
}

function comparePolicies({ policies }: AccessState, stored: StoredAccess): Change[] {
  const { state, policyIds } = stored;
  return [...union(policies, state.policies)].flatMap((key): Change[] => {
    const [from, to] = [state.policies.get(key)?.fields, policies.get(key)?.fields];
    const change = compareRow(from, to, policyIds.get(key));
    return change ? [{ kind: 'policy', key, ...change }] : [];
  });
}

function compareGrants(file: AccessState, { state, grantIds }: StoredAccess): Change[] {
  const [from, to] = [grantsOf(state), grantsOf(file)];
  return [...union(from, to)].flatMap((key): Change[] => {
    const known = to.get(key) ?? from.get(key);
    const change = compareRow(from.get(key)?.fields, to.get(key)?.fields, grantIds.get(key));
    if (!change || !known) return [];
    const { role, policy } = known;
    return [{ kind: 'grant', key, role, policy, ...change }];
  });
}

interface AttachedGrant {
  readonly role: string | null;
  readonly policy: string;
  readonly fields: Pick<Grant, 'expires_at'>;
}

function grantsOf({ roles, everyone }: AccessState): Map<string, AttachedGrant> {
  const found = new Map<string, AttachedGrant>();
  const add = (role: string | null, grants: readonly Grant[]): void => {
    for (const { policy, expires_at } of grants) {
      found.set(grantKey(role, policy), { role, policy, fields: { expires_at } });
    }
  };
  for (const [key, { grants }] of roles) add(key, grants);
  add(null, everyone);
  return found;
}

function compareRules(policy: string, file: AccessState, stored: StoredAccess): Change[] {
  const wanted = file.policies.get(policy)?.rules ?? [];
  const { matches, others } = matchRules(wanted, stored.rules.get(policy) ?? []);
  const kept = matches
    .toSorted((one, other) => one.index - other.index)
    .flatMap((match): Change[] => {
      const { wanted: to, stored: known } = match;
      const change = compareRow(known?.rule, to, known?.id);
      return change ? [{ kind: 'rule', policy, key: ruleKey(to), ...change }] : [];
    });
  const dropped = others.map(({ id, rule }): Change => {
    const change = { action: 'delete', id, from: rule, fields: [] } as const;
    return { kind: 'rule', policy, key: ruleKey(rule), ...change };
  });
  return [...kept, ...dropped];
}

const ruleKey = ({ collection, action }: RuleFields): string => `${action} ${collection}`;

type Compared<T> = Pick<RowChange<string, T>, 'action' | 'id' | 'from' | 'to' | 'fields'>;

function compareRow<T extends object>(
  from: T | undefined,
  to: T | undefined,
  id: string | number | undefined,
): Compared<T> | undefined {
  if (!to) return from && { action: 'delete', from, fields: [], ...(id !== undefined && { id }) };
  if (!from) return { action: 'create', to, fields: [] };
  const fields = differingFields(from, to);
  if (fields.length === 0) return undefined;
  return { action: 'update', from, to, fields, ...(id !== undefined && { id }) };
}
