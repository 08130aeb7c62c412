import { anyOf, type BoundFilter } from '../../../engine';
import { compileFilter, metColumn } from '../../compile/compile-filter';
import { cellIn, comparedIn, fromOf, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import { and, type Compiled } from '../../compile/statement';
import type { Key } from '../../write-context';
import { storedFields, versionOf } from '../../registry/stored-collection';

/** Whether others may meanwhile make rows that refer to the row, or not. */
export type WriteLock = 'NO KEY UPDATE' | 'UPDATE';

/**
 * Locks rows in the order of their keys, so that two requests for the same rows cannot deadlock.
 * @param lock `KEY SHARE`: as a foreign key does, only others who delete the row wait for it
 */
export function compileLock(
  scope: TableScope,
  keys: readonly Key[],
  lock: WriteLock | 'KEY SHARE',
): Compiled {
  const key = keyIn(scope);
  const read = [`${key} AS key`, ...lockedColumns(scope)].join(', ');
  const text = `SELECT ${read} FROM ${fromOf(scope)} WHERE ${isOneOf(scope, keys)} ORDER BY ${key} FOR ${lock}`;
  return scope.statement.compiled(text);
}

/**
 * The same for the rows that meet one of the filters, with which of them each meets. Only for filters on a row's own
 * columns: for other rows, PostgreSQL would use the state before it waited for the lock.
 */
export function compileLockMet(
  scope: TableScope,
  keys: readonly Key[],
  filters: readonly BoundFilter[],
  lock: WriteLock,
): Compiled {
  const key = keyIn(scope);
  const read = [`${key} AS key`, ...lockedColumns(scope), metColumn(scope, filters)].join(', ');
  const met = compileFilter(anyOf(filters), scope);
  const where = and(isOneOf(scope, keys), met);
  const text = `SELECT ${read} FROM ${fromOf(scope)} WHERE ${where} ORDER BY ${key} FOR ${lock}`;
  return scope.statement.compiled(text);
}

/** A row at the time it is locked. */
export interface LockedRow {
  readonly key: Key;
  /** Only for a collection whose rows have a version. */
  readonly version?: number | null;
  /** The write-once fields that already hold a value. */
  readonly set?: readonly string[];
}

/** What a write of the row depends on, as in `LockedRow`. */
function lockedColumns(scope: TableScope): string[] {
  const version = versionOf(scope.collection);
  const once = storedFields(scope.collection).filter(({ writable }) => writable === 'once');
  const set = once.map(
    ({ name }) =>
      `CASE WHEN ${comparedIn(scope, name)} IS NOT NULL THEN ${scope.statement.bind(name, 'text')} END`,
  );
  return [
    ...(version ? [`${cellIn(scope, version.name)} AS version`] : []),
    ...(set.length > 0 ? [`array_remove(ARRAY[${set.join(', ')}], NULL) AS set`] : []),
  ];
}
