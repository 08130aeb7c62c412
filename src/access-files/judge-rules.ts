import type { RuleSource, Schema } from '../engine';
import { faultOf, leavesSleeping } from '../repository';
import { tellFault } from '../permissions';
import type { RuleFields } from './access-state';
import type { Change } from './compare';
import type { Fault } from './file-fault';
import type { ReadAccess } from './read-access';
import { withIds } from './references';

/** Some id: what a rule names is judged, not which row it means. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** Judges the rules that would be written, as each is when it is written over the API; what stays is not judged anew. */
export function judgeRules(
  changes: readonly Change[],
  read: Pick<ReadAccess, 'faultOf'>,
  schema: Schema,
): Fault[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'rule' || !change.to) return [];
    const rule = sourceOf(change.to);
    const fault = faultOf(rule, schema);
    if (!fault || (change.from && leavesSleeping(rule, sourceOf(change.from), schema))) return [];
    return [read.faultOf(change.to, fault.path, tellFault(fault))];
  });
}

function sourceOf({ permissions, validation, presets, ...rule }: RuleFields): RuleSource {
  const filled = (json: RuleFields['permissions']): unknown => withIds(json, () => SOME_ID);
  return {
    ...{ id: 0, policy: SOME_ID, ...rule },
    permissions: filled(permissions),
    validation: filled(validation),
    presets: filled(presets),
  };
}
