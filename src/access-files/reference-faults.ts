import type { AccessState, Grant, RuleFields } from './access-state';
import type { Fault } from './file-fault';
import { isReference, policyReference, roleReference, textsIn } from './references';
import type { Path, YamlDocument } from './yaml-document';

type FaultOfRule = (rule: RuleFields, path: Path, reason: string) => Fault;

/** Every role and policy that a file names is in it, and no role is its own ancestor. */
export function faultsOfReferences(
  state: AccessState,
  document: YamlDocument,
  faultOf: FaultOfRule,
): Fault[] {
  const faults = [
    ...parentFaults(state, document),
    ...grantFaults(state.everyone, ['everyone'], state, document),
    ...[...state.roles].flatMap(([key, { grants }]) =>
      grantFaults(grants, ['roles', key, 'policies'], state, document),
    ),
  ];
  const known = new Set<string>([
    ...[...state.roles.keys()].map(roleReference),
    ...[...state.policies.keys()].map(policyReference),
  ]);
  for (const { rules } of state.policies.values()) {
    for (const rule of rules) faults.push(...ruleFaults(rule, known, faultOf));
  }
  return faults;
}

function parentFaults({ roles }: AccessState, document: YamlDocument): Fault[] {
  return [...roles].flatMap(([key, { fields }]) => {
    const { parent } = fields;
    const path = ['roles', key, 'parent'];
    if (parent === null) return [];
    if (!roles.has(parent)) return [document.fault(path, `there is no role "${parent}" here`)];
    return ancestorsOf(key, roles).has(key)
      ? [document.fault(path, 'would make a role its own ancestor')]
      : [];
  });
}

/** Ends also where they go round in a circle that the role itself is not in. */
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
  { policies }: AccessState,
  document: YamlDocument,
): Fault[] {
  const known = new Set<string>();
  return grants.flatMap(({ policy }) => {
    const twice = known.has(policy);
    known.add(policy);
    if (!policies.has(policy)) return [document.fault(path, `there is no policy "${policy}" here`)];
    return twice ? [document.fault(path, `the policy "${policy}" is there twice`)] : [];
  });
}

function ruleFaults(rule: RuleFields, known: ReadonlySet<string>, faultOf: FaultOfRule): Fault[] {
  const { permissions, validation, presets } = rule;
  return textsIn({ permissions, validation, presets })
    .filter(({ text }) => isReference(text) && !known.has(text))
    .map(({ text, path }) => faultOf(rule, path, `"${text}" is no role or policy of this file`));
}
