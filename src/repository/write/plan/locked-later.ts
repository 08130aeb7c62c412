import { type BoundFilter, isStored } from '../../../engine';
import { readsRowAlone } from '../../compile/row-alone';
import { type StoredCollection, versionOf } from '../../registry/stored-collection';
import type { CollectionPlanning } from '../collection-write';
import { judgedFilters } from '../judge/judged-filters';
import { hasHooksBefore } from '../hooks-before';
import type { Matching } from '../lock/lock-rows';
import type { Update } from './plan';
import { isObject } from '../../../common/is-object';

/** An update that is planned before its row is locked. */
export interface LockedLater {
  /** The matching case, if the row meets the condition. */
  readonly matching: Matching;
  readonly condition: BoundFilter;
}

/**
 * Whether a request's update of one row can be planned without reading it, so that one statement locks and updates it:
 * there is only one case, and neither the payload nor a hook depends on the stored row.
 * @returns undefined where the row has to be locked first
 */
export function lockedLater(
  { collection, decision, hooks, parentLocks }: CollectionPlanning,
  updates: readonly Update[],
): LockedLater | undefined {
  const [update, ...others] = updates;
  const [only, ...more] = decision.cases;
  if (!update?.prepared || others.length > 0 || !only || more.length > 0) return undefined;
  if (!readsRowAlone(only.rows, collection) || versionOf(collection)) return undefined;
  // A transaction that runs again locks what its rules lead to before the row.
  const reads = parentLocks.isRepeated ? judgedFilters(decision) : [];
  if (!reads.every((filter) => readsRowAlone(filter, collection))) return undefined;
  if (hasHooksBefore(hooks, 'update') || !setsColumnsAlone(update.payload, collection))
    return undefined;
  const { keys } = update;
  const cases = new Map(keys.map((key) => [String(key), decision.cases]));
  const rows = new Map(keys.map((key) => [String(key), { key }]));
  return { matching: { cases, rows }, condition: only.rows };
}

/** Related rows are read only once the row is locked, and write-once fields are compared with it. */
function setsColumnsAlone(payload: unknown, { fields }: StoredCollection): boolean {
  if (!isObject(payload)) return false;
  return Object.entries(payload).every(([name, value]) => {
    const field = fields.get(name);
    if (!field) return true;
    return (
      isStored(field) && field.writable !== 'once' && (field.kind === 'column' || value === null)
    );
  });
}
