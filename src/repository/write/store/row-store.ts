import type { Key, Values } from '../../write-context';
import { callHook } from '../call-hook';
import type { CollectionWrite } from '../collection-write';
import { HookContext } from '../hook-context';
import type { Judged } from '../judge/judged';
import type { PlannedRow } from '../plan/plan';

/** Stores the rows of a plan one after the other. */
export interface RowStore {
  /** Whether there is something to flush. */
  readonly isWaiting: boolean;
  /** @returns the row with its key; it may be stored only with the next one, or by `flush` */
  add(row: PlannedRow, judged: Judged): Promise<Judged>;
  flush(): Promise<void>;
}

/** The values of a row in stored form. @param keys its key, if it has one already */
export async function storedValues(
  scope: CollectionWrite,
  keys: readonly Key[],
  sent: Values,
): Promise<Values> {
  if (!scope.hooks.toStored) return sent;
  return (await callHook(scope, 'toStored', sent, new HookContext(scope, keys))) ?? sent;
}
