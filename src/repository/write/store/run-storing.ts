import type { Tx } from '../../../database/database';
import { quietly } from '../../../database/open-transaction';
import type { StatementExtras } from './store-sql';
import type { StoringStatement } from './storing-statement';

/**
 * Runs the statement that stores a row.
 * @returns the other columns
 * @throws ConditionNotMet
 */
export function runStoring<R extends object>(
  tx: Tx,
  statement: StoringStatement,
  { returned, recorded }: StatementExtras,
): Promise<R[]> {
  if (returned) return returned.run<R>(tx, statement);
  // An entry is recorded only of a table without triggers.
  const queries = recorded ? quietly(tx) : tx;
  return queries.query<R>(statement.text, statement.values);
}
