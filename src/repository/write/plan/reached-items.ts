import { type Action, type Caller, rowFilter } from '../../../engine';
import type { Queries } from '../../../database/database';
import { compileFilter } from '../../compile/compile-filter';
import { fromOf, isOneOf, rowsIn } from '../../compile/scope';
import { and } from '../../compile/statement';
import { RealView } from '../../compile/views';
import type { StoredCollection } from '../../registry/stored-collection';
import { type CollectionWrite, realScope, virtualScope } from '../collection-write';
import { compileLock } from '../lock/lock-sql';
import { knownKeys } from '../../registry/parse-key';

/** Where items are looked up. */
interface Reaching extends Pick<CollectionWrite, 'registry'> {
  readonly tx: Queries;
  /** Whether no one else may delete the items until the transaction ends; rows of a view cannot be locked. */
  readonly lock?: boolean;
}

/** Whether the caller sees all the items, by their keys as text, and each of them meets some rule for the action. */
export async function reachesAll(
  caller: Caller,
  action: Action,
  collection: StoredCollection,
  items: readonly string[],
  { registry, tx, lock = false }: Reaching,
): Promise<boolean> {
  const decision = caller.decide(action, collection.name);
  const keys = [...new Set(knownKeys(collection, items))];
  // The text `01` is not the key of any item.
  if (!decision || keys.map(String).some((key, at) => key !== items[at])) return false;
  const scope = virtualScope(registry, collection, caller);
  const reached = compileFilter(rowFilter(decision), { ...scope, view: new RealView(registry) });
  const where = and(isOneOf(scope, keys), rowsIn(scope), reached);
  const { text, values } = scope.statement.compiled(
    `SELECT count(*)::int4 AS reached FROM ${fromOf(scope)} WHERE ${where}`,
  );
  const [row] = await tx.query<{ reached: number }>(text, values);
  if (row?.reached !== items.length) return false;
  if (!lock || collection.view === true) return true;
  // Only now: a wait for an item that the caller does not reach would reveal it.
  const locking = compileLock(realScope(registry, collection), keys, 'KEY SHARE');
  return (await tx.query(locking.text, locking.values)).length === items.length;
}
