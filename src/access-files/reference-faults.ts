import type { AccessState, Grant, RuleFields } from './access-state';
import type { AccessSource, Path } from './access-source';
import type { Fault } from './file-fault';
import { isReference, policyReference, roleReference, textsIn } from './references';

type FaultOfRule = (rule: RuleFields, path: Path, reason: string) => Fault;

/** Keys of roles and policies. */
export interface Keys {
  readonly roles: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
}

export const NO_KEYS: Keys = { roles: new Set(), policies: new Set() };

/** A source with the keys that it may refer to. */
interface Named {
  readonly state: AccessState;
  readonly source: AccessSource;
  readonly external: Keys;
}

/**
 * Reports unknown roles and policies, definitions of those that come from elsewhere, and roles that are their own
 * ancestors.
 */
export function faultsOfReferences(
  state: AccessState,
  source: AccessSource,
  faultOf: FaultOfRule,
  external: Keys,
): Fault[] {
  const named: Named = { state, source, external };
  const faults = [
    ...managedFaults(named),
    ...parentFaults(named),
    ...grantFaults(state.everyone, ['everyone'], named),
    ...[...state.roles].flatMap(([key, { grants }]) =>
      grantFaults(grants, ['roles', key, 'policies'], named),
    ),
  ];
  const known = new Set<string>([
    ...[...state.roles.keys(), ...external.roles].map(roleReference),
    ...[...state.policies.keys(), ...external.policies].map(policyReference),
  ]);
  for (const { rules } of state.policies.values()) {
    for (const rule of rules) faults.push(...ruleFaults(rule, known, faultOf));
  }
  return faults;
}

function managedFaults({ state, source, external }: Named): Fault[] {
  return (['roles', 'policies'] as const).flatMap((kind) =>
    [...state[kind].keys()]
      .filter((key) => external[kind].has(key))
      .map((key) =>
        source.fault(
          [kind, key],
          'is managed by a module: a file may refer to it, but not define it',
        ),
      ),
  );
}

function parentFaults({ state: { roles }, source, external }: Named): Fault[] {
  return [...roles].flatMap(([key, { fields }]) => {
    const { parent } = fields;
    const path = ['roles', key, 'parent'];
    if (parent === null || external.roles.has(parent)) return [];
    if (!roles.has(parent)) return [source.fault(path, `there is no role "${parent}" here`)];
    return ancestorsOf(key, roles).has(key)
      ? [source.fault(path, 'would make a role its own ancestor')]
      : [];
  });
}

/** Also ends at a circle that the role itself is not in. */
function ancestorsOf(key: string, roles: AccessState['roles']): ReadonlySet<string> {
  const found = new Set<string>();
  let next = roles.get(key)?.fields.parent ?? null;
  while (next !== null && !found.has(next)) {
    found.add(next);
    next = roles.get(next)?.fields.parent ?? null;
  }
  return found;
}

function grantFaults(
  grants: readonly Grant[],
  path: Path,
  { state: { policies }, source, external }: Named,
): Fault[] {
  const known = new Set<string>();
  return grants.flatMap(({ policy }) => {
    const twice = known.has(policy);
    known.add(policy);
    if (!policies.has(policy) && !external.policies.has(policy))
      return [source.fault(path, `there is no policy "${policy}" here`)];
    return twice ? [source.fault(path, `the policy "${policy}" is listed twice`)] : [];
  });
}

function ruleFaults(rule: RuleFields, known: ReadonlySet<string>, faultOf: FaultOfRule): Fault[] {
  const { permissions, validation, presets } = rule;
  return textsIn({ permissions, validation, presets })
    .filter(({ text }) => isReference(text) && !known.has(text))
    .map(({ text, path }) => faultOf(rule, path, `"${text}" is not a role or policy of this file`));
}
