import type { Tx } from '../../../database/database';
import { quietly } from '../../../database/open-transaction';
import type { StatementExtras } from './store-sql';
import {
  filledWith,
  type StoredRow,
  type StoringStatement,
  storingStatement,
} from './storing-statement';

interface Storing {
  readonly row: StoredRow;
  readonly extras: StatementExtras;
  /** Determines the statement together with the names of the fields and what else it does. */
  readonly how: string;
  /** @param names of the fields with values */
  readonly compile: (names: readonly string[]) => StoringStatement;
}

/**
 * Runs the statement that stores a row.
 * @returns the other columns
 * @throws ConditionNotMet
 */
export function runStoring<R extends object>(
  tx: Tx,
  { row, extras: { returned, recorded }, how, compile }: Storing,
): Promise<R[]> {
  const names = [...row.values.keys()];
  const name = returned?.nameOf(`${how} ${recorded !== undefined}`, names);
  const statement = filledWith(
    storingStatement(name, () => compile(names)),
    {
      ...row,
      ...(recorded && { actor: recorded.actor }),
    },
  );
  if (returned) return returned.run<R>(tx, statement);
  // An entry is recorded only of a table without triggers.
  const queries = recorded ? quietly(tx) : tx;
  return queries.query<R>(statement.text, statement.values);
}
