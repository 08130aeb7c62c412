import type { AccessState, Grant, RoleState } from './access-state';
import { CommandFault } from '../common/command';
import { grantKey, type StoredAccess } from './compare';

/** Selects stored roles, policies and grants by their keys. */
interface Part {
  role(key: string): boolean;
  policy(key: string): boolean;
  /** @param key as `grantKey` makes it */
  grant(key: string): boolean;
}

/**
 * Reduces the stored state to the selected part. The ids of everything else stay known, since rules may refer to it.
 * @throws CommandFault where a rule of the part cannot be written to a file
 */
export function partOf(stored: StoredAccess, part: Part): StoredAccess {
  const { state, keyless } = stored;
  const rules = new Map([...stored.rules].filter(([policy]) => part.policy(policy)));
  refuseLikeReferences(rules);
  const grants = grantsThat((key) => part.grant(key));
  const of: AccessState = {
    roles: rolesWith(
      [...state.roles].filter(([key]) => part.role(key)),
      grants,
    ),
    policies: new Map([...state.policies].filter(([key]) => part.policy(key))),
    everyone: grants(null, state.everyone),
  };
  return {
    ...stored,
    state: of,
    rules,
    keyless: {
      roles: keyless.roles.filter((key) => part.role(key)),
      policies: keyless.policies.filter((key) => part.policy(key)),
    },
  };
}

const grantsThat =
  (count: (key: string) => boolean) =>
  (role: string | null, all: readonly Grant[]): Grant[] =>
    all.filter(({ policy }) => count(grantKey(role, policy)));

const rolesWith = (
  roles: readonly (readonly [key: string, role: RoleState])[],
  grants: ReturnType<typeof grantsThat>,
): AccessState['roles'] =>
  new Map(roles.map(([key, role]) => [key, { ...role, grants: grants(key, role.grants) }]));

/** New rules with such texts are refused; these are older, or were written past the API. */
function refuseLikeReferences(rules: StoredAccess['rules']): void {
  for (const [policy, each] of rules) {
    const found = each.find(({ likeReference }) => likeReference !== undefined);
    if (!found) continue;
    throw new CommandFault(
      `Rule ${found.id} of policy ${policy} holds the text "${found.likeReference}", which a file would read as a reference: change it through the API.`,
    );
  }
}

/**
 * Leaves out grants that a file attaches and a module now provides as well: they are there, and belong to the module.
 */
export function unmanagedGrants(wanted: AccessState, { managed }: StoredAccess): AccessState {
  const grants = grantsThat((key) => !managed.grants.has(key));
  return {
    ...wanted,
    roles: rolesWith([...wanted.roles], grants),
    everyone: grants(null, wanted.everyone),
  };
}

/** The stored state without what modules provide, which files do not contain. */
export const unmanaged = (stored: StoredAccess): StoredAccess => {
  const { roles, policies, grants } = stored.managed;
  return partOf(stored, {
    role: (key) => !roles.has(key),
    policy: (key) => !policies.has(key),
    grant: (key) => !grants.has(key),
  });
};
