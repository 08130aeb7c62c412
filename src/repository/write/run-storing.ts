import type { Tx } from '../../database/database';
import { quietly } from '../../database/open-transaction';
import type { Compiled } from '../compile/statement';
import type { Told } from './store-sql';

/** Runs the statement that stores a row. @returns the other columns */
export function runStoring<R extends object>(
  tx: Tx,
  compiled: Compiled,
  { returned, recorded }: Told,
): Promise<R[]> {
  // Neither is there for a table that has a trigger.
  const queries = returned || recorded ? quietly(tx) : tx;
  return returned
    ? returned.run<R>(queries, compiled)
    : queries.query<R>(compiled.text, compiled.values);
}
