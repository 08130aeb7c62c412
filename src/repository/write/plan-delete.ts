import { allowsAny } from '../../engine';
import { Forbidden } from '../../common/errors';
import type { Key } from '../hooks';
import { guarded } from './constraint-fault';
import { lockMet } from './met-rows';
import type { Step } from './plan';
import { realScope, type WriteScope } from './write-scope';
import { refuseUnwritten, type WrittenRow } from './unwritten';
import { compileDelete } from './write-sql';

/** Plans deletes, all or none. What the schema cascades to needs no further right. */
export async function planDelete(scope: WriteScope, keys: readonly Key[]): Promise<Step> {
  if (!allowsAny(scope.decision)) throw new Forbidden({});
  scope.claim(keys);
  await lockMet(scope, keys);
  return async () => {
    await scope.hooks.beforeDelete?.(keys, scope);
    const { text, values } = compileDelete(realScope(scope.registry, scope.collection), keys);
    // The rows may be deleted, as was seen before: nothing is left to judge.
    const judge = (): Promise<void> => Promise.resolve();
    const done = await guarded(scope, judge, () => scope.tx.query<WrittenRow>(text, values));
    await refuseUnwritten(scope, keys, done, judge);
    scope.note('delete', keys);
    await scope.hooks.afterDelete?.(keys, scope);
    return [...keys];
  };
}
