import { readsRowAlone } from '../compile/row-alone';
import type { CollectionWrite } from './collection-write';
import { ConstraintFault } from './constraint-fault';
import { judgedFilters } from './judged-filters';

/** Of a row that was judged within its transaction, which can still be used: nothing is judged after the rollback. */
class JudgedFault extends ConstraintFault {}

/**
 * Stores a row that refers to others of the same request. What the database refuses is judged after the rollback, when
 * new ones among those others are gone: where rules read them, the row is judged before that.
 */
export async function judgedBeforeRollback<T>(
  scope: CollectionWrite,
  store: () => Promise<T>,
): Promise<T> {
  const { decision, collection, tx } = scope;
  const filters = decision.unrestricted ? [] : judgedFilters(decision);
  if (filters.every((filter) => readsRowAlone(filter, collection))) return store();
  await tx.query('SAVEPOINT referring_row');
  try {
    const stored = await store();
    await tx.query('RELEASE SAVEPOINT referring_row');
    return stored;
  } catch (error) {
    if (!(error instanceof ConstraintFault)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT referring_row');
    await error.judge(tx);
    throw new JudgedFault(error.tell, () => Promise.resolve(), { cause: error });
  }
}

/**
 * Where such a row is refused, the rows that it refers to are judged too: what they are refused for comes first.
 * @param judge judges them as they are in the transaction
 */
export async function judgedWith<T>(
  judge: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JudgedFault) await judge();
    throw error;
  }
}
