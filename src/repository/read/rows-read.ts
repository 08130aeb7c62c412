import { textOf, type Value } from '../../engine';
import type { Table } from '../../database/database';
import { isJoinedName, joinedName, pathBelow } from '../compile/join-targets';
import { NUMBER } from '../compile/compile-rows';

/** Rows that a statement read, and the rows it joined to them. */
export interface RowsRead extends Table {
  /**
   * The rows that a relation leads to, each once.
   * @param index of the relation in the query; @returns undefined where they were not joined
   */
  readonly joined: (index: number) => JoinedRows | undefined;
}

export interface JoinedRows extends RowsRead {
  readonly keys: readonly unknown[];
}

/** Separates the columns of the rows from those of the joined rows. */
export function separateJoined(table: Table): RowsRead {
  const end = table.names.findIndex(isJoinedName);
  const names = end < 0 ? table.names : table.names.slice(0, end);
  return { names, rows: table.rows, joined: (index) => joinedRows(table, pathBelow('', index)) };
}

function joinedRows({ names, rows }: Table, path: string): JoinedRows | undefined {
  const at = names.indexOf(joinedName(path));
  if (at < 0) return undefined;
  const next = names.findIndex((name, index) => index > at && isJoinedName(name));
  const end = next < 0 ? names.length : next;
  const byKey = new Map<unknown, readonly unknown[]>();
  for (const row of rows) {
    const key = row[at] ?? null;
    if (key !== null && !byKey.has(key)) byKey.set(key, row.slice(at, end));
  }
  return {
    names: names.slice(at, end),
    rows: [...byKey.values()],
    keys: [...byKey.keys()],
    joined: (index) => joinedRows({ names, rows }, pathBelow(path, index)),
  };
}

/** A page beyond the last row still returns its counts, in a separate row. */
export function withoutCounts({ names, rows, joined }: RowsRead): RowsRead {
  const number = names.indexOf(NUMBER);
  return { names, joined, rows: rows.filter((row) => row[number] !== null) };
}

/** The cells of one column, in the order of the rows. */
export function cellsOf({ names, rows }: Table, name: string): unknown[] {
  const at = names.indexOf(name);
  return rows.map((row) => row[at] ?? null);
}

/** The different keys, without nulls. */
export const distinct = (links: readonly unknown[]): unknown[] => [
  ...new Map(links.filter((link) => link !== null).map((link) => [keyText(link), link])).values(),
];

/**
 * The rows by the texts of their keys.
 * @param keys those of the rows, in the same order
 */
export const byKey = (keys: readonly unknown[], rows: readonly unknown[]): Map<string, unknown> =>
  new Map(keys.map((key, index) => [keyText(key), rows[index]]));

/** Keys are text, numbers or UUIDs, which are equal exactly where their texts are. */
export const keyText = (key: unknown): string => textOf(key as Value);
