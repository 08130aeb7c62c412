import { StartupError } from '../../config/startup-error';
import type { AccessState, Grant } from '../access-state';
import { grantKey, type StoredAccess } from '../compare';
import { partOf } from '../part-of';
import type { ReadRules } from './read-managed-rules';

/** Combines the rules of several modules, which have no key in common. */
export const combineRules = (all: readonly ReadRules[]): AccessState => ({
  roles: new Map(all.flatMap(({ state }) => [...state.roles])),
  policies: new Map(all.flatMap(({ state }) => [...state.policies])),
  everyone: all.flatMap(({ state }) => state.everyone),
});

type Ids = ReadonlyMap<string, string>;

/** The stored rows that the due rules provided before, and those that they are about to provide. */
export function managedPart(
  stored: StoredAccess,
  due: readonly ReadRules[],
  wanted: AccessState,
): StoredAccess {
  const { roles, policies, grants } = stored.managed;
  const own = new Set<string | undefined>(due.map(({ key }) => key));
  const wantedGrants = new Set([
    ...[...wanted.roles].flatMap(([role, each]) => grantKeys(role, each.grants)),
    ...grantKeys(null, wanted.everyone),
  ]);
  const part = partOf(stored, {
    role: (key) => roles.has(key) && (own.has(roles.get(key)) || wanted.roles.has(key)),
    policy: (key) => policies.has(key) && (own.has(policies.get(key)) || wanted.policies.has(key)),
    grant: (key) => own.has(grants.get(key)) || wantedGrants.has(key),
  });
  // A key that is only derived from a name belongs to something else.
  const managedIds = (ids: Ids, managed: Ids): Ids =>
    new Map([...ids].filter(([key]) => managed.has(key)));
  return {
    ...part,
    roleIds: managedIds(stored.roleIds, roles),
    policyIds: managedIds(stored.policyIds, policies),
  };
}

const grantKeys = (role: string | null, grants: readonly Grant[]): string[] =>
  grants.map(({ policy }) => grantKey(role, policy));

/**
 * Refuses rules with the key of a role or policy that was created here: if the module took it over, everyone who has it
 * would get what the module grants.
 * @throws StartupError
 */
export function refuseTaken(due: readonly ReadRules[], stored: StoredAccess): void {
  for (const { key: rules, state } of due) {
    for (const kind of ['roles', 'policies'] as const) {
      const free = new Set([...stored.keyless[kind], ...stored.managed[kind].keys()]);
      const taken = [...state[kind].keys()].find(
        (key) => stored.state[kind].has(key) && !free.has(key),
      );
      if (taken === undefined) continue;
      const what = kind === 'roles' ? 'role' : 'policy';
      throw new StartupError(
        `The rules "${rules}" define the ${what} "${taken}", but one with that key was created here: delete it, or use another key in the rules.`,
      );
    }
  }
}
