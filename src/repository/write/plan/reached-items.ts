import { type Action, rowFilter } from '../../../engine';
import type { Queries } from '../../../database/database';
import { compileFilter } from '../../compile/compile-filter';
import { fromOf, isOneOf, rowsIn } from '../../compile/scope';
import { and } from '../../compile/statement';
import { RealView } from '../../compile/views';
import type { StoredCollection } from '../../registry/stored-collection';
import { type CollectionWrite, virtualScope } from '../collection-write';
import { knownKeys } from './selected-rows';

/** Whether the caller sees all the items, by their keys as text, and each of them meets some rule for the action. */
export async function reachesAll(
  { caller, registry, tx }: Pick<CollectionWrite, 'caller' | 'registry'> & { readonly tx: Queries },
  collection: StoredCollection,
  action: Action,
  items: readonly string[],
): Promise<boolean> {
  const decision = caller.decide(collection.name, action);
  const keys = [...new Set(knownKeys(collection, items))];
  // The text `01` is not the key of any item.
  if (!decision || keys.map(String).some((key, at) => key !== items[at])) return false;
  const scope = virtualScope(registry, collection, caller);
  const met = compileFilter(rowFilter(decision), { ...scope, view: new RealView(registry) });
  const where = and(isOneOf(scope, keys), rowsIn(scope), met);
  const { text, values } = scope.statement.compiled(
    `SELECT count(*)::int4 AS reached FROM ${fromOf(scope)} WHERE ${where}`,
  );
  const [row] = await tx.query<{ reached: number }>(text, values);
  return row?.reached === items.length;
}
