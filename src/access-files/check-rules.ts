import type { RuleSource, Schema } from '../engine';
import { faultOf, leavesSleeping } from '../repository';
import { textOfFault } from '../permissions';
import type { RuleFields } from './access-state';
import type { Change } from './compare';
import type { Fault } from './file-fault';
import type { ReadAccess } from './read-access';
import { withIds } from './references';

/** Stands for every referenced id: the check concerns what a rule names, not which row an id means. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** Checks the rules that would be written as the API checks them; rules that stay unchanged are not checked again. */
export function checkRules(
  changes: readonly Change[],
  read: Pick<ReadAccess, 'faultOf'>,
  schema: Schema,
): Fault[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'rule' || !change.to) return [];
    const rule = sourceOf(change.to);
    const fault = faultOf(rule, schema);
    if (!fault || (change.from && leavesSleeping(rule, sourceOf(change.from), schema))) return [];
    return [read.faultOf(change.to, fault.path, textOfFault(fault))];
  });
}

function sourceOf({ permissions, validation, presets, ...rule }: RuleFields): RuleSource {
  const filled = (json: RuleFields['permissions']): unknown => withIds(json, () => SOME_ID);
  return {
    id: 0,
    policy: SOME_ID,
    ...rule,
    permissions: filled(permissions),
    validation: filled(validation),
    presets: filled(presets),
  };
}
