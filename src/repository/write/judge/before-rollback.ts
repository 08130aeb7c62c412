import { readsRowAlone } from '../../compile/row-alone';
import type { CollectionWrite } from '../collection-write';
import { ConstraintFault, NOTHING_TO_JUDGE } from './constraint-fault';
import { judgedFilters } from './judged-filters';

/**
 * The fault of a row that was judged within its transaction, which is still usable: it is not judged again after the
 * rollback.
 */
class JudgedFault extends ConstraintFault {}

/**
 * Stores a row that refers to other rows of the same request. Normally the rules judge a refused row after the rollback;
 * but then new rows that it refers to are gone. So where rules read other rows, it is judged before the rollback, at a
 * savepoint.
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
    throw new JudgedFault(error.findRefusal, NOTHING_TO_JUDGE, { cause: error });
  }
}

/**
 * Where such a row is refused, the rows that it refers to are judged too, and their faults come first.
 * @param judge judges those rows as they are in the transaction
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
