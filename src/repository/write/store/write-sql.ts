import type { BoundFilter, Cell } from '../../../engine';
import { metColumn } from '../../compile/compile-filter';
import { amongKeys, fromOf, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import { type Compiled, Statement } from '../../compile/statement';
import type { Key, Values } from '../../write-context';
import { columnOf, columnsBySql, type StoredCollection } from '../../registry/stored-collection';
import type { Column } from '../../registry/column';
import type { LoggedColumns } from '../log/logged-columns';

/** A canonical cell in the form that the driver expects. */
export const encodeCell = (column: Column, cell: Cell): unknown =>
  column.type === 'json' && cell !== null ? JSON.stringify(cell) : cell;

const bindCell = (statement: Statement, column: Column, cell: Cell): string =>
  statement.bind(encodeCell(column, cell), column.cast);

export function compileUpdate(
  collection: StoredCollection,
  keys: readonly Key[],
  values: Values,
  logged: LoggedColumns,
): Compiled {
  const statement = new Statement();
  const sets = settingOf(collection, values.keys(), (column, name) =>
    bindCell(statement, column, values.get(name) as Cell),
  );
  const key = columnOf(collection, collection.key);
  const which = amongKeys(statement, collection, keys);
  const returning = [`stored.${key.sql} AS key`, ...logged.changes(statement, 'was', 'stored')];
  // The rows are locked: the statement reads exactly the values that it replaces.
  return statement.compiled(
    `UPDATE ${collection.table} AS stored SET ${sets} FROM ${collection.rows} AS was WHERE stored.${key.sql} ${which} AND was.${key.sql} = stored.${key.sql} RETURNING ${returning.join(', ')}`,
  );
}

/** @param bind the value of a column, by the field's name */
export const settingOf = (
  collection: StoredCollection,
  names: Iterable<string>,
  bind: (column: Column, name: string) => string,
): string =>
  [...names]
    .map((name) => {
      const column = columnOf(collection, name);
      return `${column.sql} = ${bind(column, name)}`;
    })
    .join(', ');

/**
 * Inserts many rows that set the same columns: `INSERT … SELECT sent.c0, … FROM json_to_recordset($1::json) AS sent(c0
 * int4, …)`.
 * @param columns including the key
 * @param rows a JSON list of objects; the cell of the column at index 0 is named `c0`
 * @param drawn the keys were drawn from the column's own sequence, so they are allowed even where the column accepts no
 * others
 */
export function compileInserts(
  collection: StoredCollection,
  columns: readonly string[],
  rows: string,
  drawn: boolean,
): Compiled {
  const statement = new Statement();
  const key = columnOf(collection, collection.key).sql;
  const names = columns.map((name) => columnOf(collection, name).sql).join(', ');
  const cells = columns.map((_, at) => `sent.c${at}`).join(', ');
  const overriding = drawn ? ' OVERRIDING SYSTEM VALUE' : '';
  return statement.compiled(
    `INSERT INTO ${collection.table} (${names})${overriding} SELECT ${cells} FROM ${sentRows(statement, collection, columns, rows)} RETURNING ${key} AS key`,
  );
}

/**
 * Updates many rows that set the same columns, each with its own values.
 * @param columns the key first
 * @param rows as for `compileInserts`
 */
export function compileUpdates(
  collection: StoredCollection,
  columns: readonly string[],
  rows: string,
  logged: LoggedColumns,
): Compiled {
  const statement = new Statement();
  const key = columnOf(collection, collection.key).sql;
  const sets = columns
    .map((name, at) => `${columnOf(collection, name).sql} = sent.c${at}`)
    .slice(1)
    .join(', ');
  const sent = sentRows(statement, collection, columns, rows);
  const returning = [`stored.${key} AS key`, ...logged.changes(statement, 'was', 'stored')];
  return statement.compiled(
    `UPDATE ${collection.table} AS stored SET ${sets} FROM ${sent} JOIN ${collection.rows} AS was ON was.${key} = sent.c0 WHERE stored.${key} = sent.c0 RETURNING ${returning.join(', ')}`,
  );
}

/** Rows as one JSON parameter, which keeps nested lists as they are, unlike lists of parameters. */
function sentRows(
  statement: Statement,
  collection: StoredCollection,
  columns: readonly string[],
  rows: string,
): string {
  const types = columns.map((name, at) => `c${at} ${columnOf(collection, name).cast}`);
  return `json_to_recordset(${statement.bind(rows, 'json')}) AS sent(${types.join(', ')})`;
}

export function compileDelete(
  scope: TableScope,
  keys: readonly Key[],
  logged: LoggedColumns,
): Compiled {
  const which = isOneOf(scope, keys);
  const returning = [`${keyIn(scope)} AS key`, ...logged.values(scope.statement, scope.alias)];
  const text = `DELETE FROM ${scope.collection.table} ${scope.alias} WHERE ${which} RETURNING ${returning.join(', ')}`;
  return scope.statement.compiled(text);
}

/** For each existing row: which of the filters it meets. */
export function compileMet(
  scope: TableScope,
  keys: readonly Key[],
  filters: readonly BoundFilter[],
): Compiled {
  const columns = [`${keyIn(scope)} AS key`, metColumn(scope, filters)].join(', ');
  const text = `SELECT ${columns} FROM ${fromOf(scope)} WHERE ${isOneOf(scope, keys)}`;
  return scope.statement.compiled(text);
}

/** The row that an insert would have stored, as a table: missing values have the database's defaults. */
export function prospectiveInsert(scope: TableScope, values: Values): string {
  return `(SELECT ${prospectiveCells(scope, values, defaultOf)})`;
}

const defaultOf = (column: Column): string => `(${column.default ?? 'NULL'})::${column.cast}`;

/** The rows that an update would have stored, as a table. */
export function prospectiveUpdate(scope: TableScope, keys: readonly Key[], values: Values): string {
  const stored = scope.statement.alias();
  const cells = prospectiveCells(scope, values, ({ sql }) => `${stored}.${sql}`);
  const which = isOneOf({ ...scope, alias: stored }, keys);
  return `(SELECT ${cells} FROM ${scope.collection.rows} ${stored} WHERE ${which})`;
}

/** @param other the SQL of a column without a given value */
function prospectiveCells(
  { statement, collection }: TableScope,
  values: Values,
  other: (column: Column) => string,
): string {
  const given = new Map([...values].map(([name, cell]) => [columnOf(collection, name).sql, cell]));
  const cells = [...columnsBySql(collection)].map(([sql, column]) => {
    const cell = given.get(sql);
    return `${cell === undefined ? other(column) : bindCell(statement, column, cell)} AS ${sql}`;
  });
  return cells.join(', ');
}
