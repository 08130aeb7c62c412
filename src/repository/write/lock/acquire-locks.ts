import { DatabaseError } from 'pg';
import type { Compiled } from '../../compile/statement';
import type { StoredCollection } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import type { LockedRow } from './lock-sql';
import type { Met } from './matching-cases';

/**
 * Locks the rows, without waiting where the transaction may share them with others.
 * @throws DeadlockAhead where others share the rows, and wait for them as well
 */
export async function acquire(
  scope: CollectionWrite,
  collection: StoredCollection,
  compiled: Compiled,
): Promise<(LockedRow & Met)[]> {
  if (scope.parentLocks.mayShare(collection)) return acquireNoWait(scope, compiled);
  return scope.tx.query(compiled.text, compiled.values);
}

/** @throws DeadlockAhead instead of waiting */
export async function acquireNoWait<R extends object>(
  { tx, parentLocks }: CollectionWrite,
  { text, values }: Compiled,
): Promise<R[]> {
  if (parentLocks.waits) return tx.query(text, values);
  try {
    return await tx.query(`${text} NOWAIT`, values);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '55P03')) throw error;
    throw parentLocks.giveUp(error);
  }
}
