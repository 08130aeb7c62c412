import type { Tx } from '../../../database/database';
import { quietly } from '../../../database/open-transaction';
import type { Compiled } from '../../compile/statement';
import type { StatementExtras } from './store-sql';

/**
 * Runs the statement that stores a row.
 * @returns the other columns
 * @throws ConditionNotMet
 */
export function runStoring<R extends object>(
  tx: Tx,
  compiled: Compiled,
  { returned, recorded }: StatementExtras,
): Promise<R[]> {
  if (returned) return returned.run<R>(tx, compiled);
  // An entry is recorded only of a table without triggers.
  const queries = recorded ? quietly(tx) : tx;
  return queries.query<R>(compiled.text, compiled.values);
}
