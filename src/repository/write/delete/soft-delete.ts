import { amongKeys, type TableScope } from '../../compile/scope';
import type { Compiled, Statement } from '../../compile/statement';
import type { Key } from '../../write-context';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';
import type { LoggedColumns } from '../log/logged-columns';

/** A delete that only marks the row; hooks and the log treat it like any other. */
export function compileSoftDelete(
  { collection, alias, statement }: TableScope,
  keys: readonly Key[],
  moment: Date,
  logged: LoggedColumns,
): Compiled {
  const key = columnOf(collection, collection.key);
  const set = softDeleteAssignment(collection, statement, moment);
  const which = amongKeys(statement, collection, keys);
  const returning = [`stored.${key.sql} AS key`, ...logged.values(statement, alias)];
  return statement.compiled(
    `UPDATE ${collection.table} AS stored SET ${set} FROM ${collection.rows} ${alias} WHERE stored.${key.sql} ${which} AND ${alias}.${key.sql} = stored.${key.sql} RETURNING ${returning.join(', ')}`,
  );
}

/** The values that mark a row as deleted. */
export function softDeleteAssignment(
  collection: StoredCollection,
  statement: Statement,
  moment: Date,
): string {
  const { sql, cast } = columnOf(collection, collection.deletedAt ?? '');
  return `${sql} = ${statement.bind(moment.toISOString(), cast)}`;
}
