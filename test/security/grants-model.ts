import type { State } from '../factories';

type Row = Readonly<Record<string, unknown>>;

/** One thing that a policy grants: a rule, or `admin_access` or `app_access`. */
export interface Grant {
  /** Equal for equal rules, whatever their policy. */
  readonly text: string;
  readonly rule?: Row;
}

export type Grants = ReadonlyMap<string, Grant>;

const CONTENT = ['collection', 'action', 'fields', 'permissions', 'validation', 'presets'];

/**
 * What the stored tables grant to each user and role, by their id, and to everyone, by `everyone`. Access that has
 * ended does not count.
 */
export function grantsOf(state: State): ReadonlyMap<string, Grants> {
  const access = (state['service_access'] ?? []).filter(
    ({ expires_at: ends }) => ends === null || Date.parse(ends as string) > Date.now(),
  );
  const policiesOf = (name: 'user' | 'role', id: unknown): unknown[] =>
    access.filter((row) => row[name] === id).map(({ policy }) => policy);
  const everyone = access.filter(({ user, role }) => user === null && role === null);
  const inherited = (role: unknown): unknown[] =>
    lineOf(state, role).flatMap((each) => policiesOf('role', each));
  const found = new Map<string, Grants>();
  const note = (id: unknown, policies: readonly unknown[]): void =>
    void found.set(String(id), grantedBy(state, policies));
  note(
    'everyone',
    everyone.map(({ policy }) => policy),
  );
  for (const { id } of state['service_roles'] ?? []) note(id, inherited(id));
  for (const { id, role, status } of state['service_users'] ?? []) {
    if (status === 'active') note(id, [...policiesOf('user', id), ...inherited(role)]);
  }
  return found;
}

function lineOf(state: State, role: unknown): unknown[] {
  const found = (state['service_roles'] ?? []).find(({ id }) => id === role);
  return found ? [role, ...lineOf(state, found['parent'])] : [];
}

function grantedBy(state: State, policies: readonly unknown[]): Grants {
  const grants = new Map<string, Grant>();
  const add = (grant: Grant): void => void grants.set(grant.text, grant);
  for (const { id, admin_access, app_access } of state['service_policies'] ?? []) {
    if (!policies.includes(id)) continue;
    if (admin_access === true) add({ text: 'admin_access' });
    if (app_access === true) add({ text: 'app_access' });
  }
  for (const rule of state['service_permissions'] ?? []) {
    if (!policies.includes(rule['policy'])) continue;
    add({ text: JSON.stringify(CONTENT.map((name) => rule[name])), rule });
  }
  return grants;
}

/** Whether these grants include this one, or unconditional ones that grant at least as much. */
export function covers(held: Grants, { text, rule }: Grant): boolean {
  if (held.has(text)) return true;
  if (!rule) return false;
  const whole = [...held.values()].flatMap(({ rule: other }) =>
    other && isWhole(other) && other['action'] === rule['action'] ? [other] : [],
  );
  const fields = whole
    .filter(({ collection }) => collection === rule['collection'])
    .map(({ fields: all }) => all as readonly string[]);
  if (fields.length === 0) return false;
  const named = [...(rule['fields'] as string[]), ...Object.keys(rule['presets'] as object)];
  const hasAll = fields.some((all) => all.includes('*'));
  return (
    rule['action'] === 'delete' || hasAll || named.every((name) => fields.flat().includes(name))
  );
}

const isWhole = ({ permissions, validation }: Row): boolean =>
  JSON.stringify([permissions, validation]) === '[{},{}]';
