import { allowsAny, type Caller, type Decision } from '../../engine';
import type { Queries } from '../../database/database';
import { compileReach } from '../compile/compile-rows';
import type { CollectionRegistry } from '../registry/registry';
import type { StoredCollection } from '../registry/stored-collection';
import { knownKeys } from '../registry/parse-key';

interface Place {
  readonly caller: Caller;
  readonly collection: StoredCollection;
  readonly registry: CollectionRegistry;
  readonly database: Queries;
}

/**
 * What a decision allows on one item: the decision with only those cases that reach it. For an administrator all do,
 * and nothing is looked up.
 * @param key undefined for a singleton's one row
 * @returns undefined where none does, and where the item does not exist
 */
export async function decisionOnItem(
  decision: Decision,
  key: unknown,
  { caller, collection, registry, database }: Place,
): Promise<Decision | undefined> {
  if (decision.unrestricted) return decision;
  if (!allowsAny(decision) || (key === undefined && !collection.singleton)) return undefined;
  const keys = key === undefined ? undefined : knownKeys(collection, [key]);
  if (keys?.length === 0) return undefined;
  const { text, values } = compileReach(registry, decision, caller, keys);
  const [item] = await database.query<{ met: readonly boolean[] }>(text, values);
  const cases = decision.cases.filter((_, at) => item?.met[at] === true);
  return cases.length > 0 ? { ...decision, cases } : undefined;
}
