import { allowsAny, type Caller, type Decision } from '../../engine';
import type { Queries } from '../../database/database';
import { compileReach } from '../compile/compile-rows';
import type { CollectionRegistry } from '../registry/registry';
import type { StoredCollection } from '../registry/stored-collection';
import { knownKeys } from '../write/selected-rows';

interface Place {
  readonly caller: Caller;
  readonly collection: StoredCollection;
  readonly registry: CollectionRegistry;
  readonly database: Queries;
}

/**
 * Whether a decision allows its action on one item; false also where the item does not exist.
 * @param key undefined for a singleton's one row
 */
export async function reachesItem(
  decision: Decision,
  key: unknown,
  { caller, collection, registry, database }: Place,
): Promise<boolean> {
  if (!allowsAny(decision)) return false;
  if (decision.unrestricted) return true;
  if (key === undefined && !collection.singleton) return false;
  const keys = key === undefined ? undefined : knownKeys(collection, [key]);
  if (keys?.length === 0) return false;
  const { text, values } = compileReach(registry, decision, caller, keys);
  return (await database.query(text, values)).length > 0;
}
