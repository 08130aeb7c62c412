import type { Cell } from '../../../engine';
import type { Compiled, Statement } from '../../compile/statement';
import { isCacheable, statementCache } from '../../compile/statement-cache';
import type { Key, Values } from '../../write-context';
import type { Column } from '../../registry/column';
import type { KeptValues } from '../log/change-log';
import { encodeCell } from './write-sql';

/** What one request stores: all that differs between two requests whose statements have the same text. */
export interface StoredRow {
  /** Of the row that is updated. */
  readonly key?: Key;
  readonly values: Values;
  /** Of a new row, for the log. */
  readonly kept?: KeptValues;
  /** Who writes, as whoever keeps the log says it, if the statement records the write. */
  readonly actor?: readonly unknown[];
  /** The reason of a write as the system. */
  readonly system: string | null;
}

/** A parameter of a compiled statement that has another value in each request. */
export type Placeholder = (row: StoredRow) => unknown;

/** The statement that stores a row, without the values of the request. */
export interface StoringStatement extends Compiled {
  /** How many columns it returns for its caller: the key and what is logged. They come first. */
  readonly own: number;
  /** The index after the columns for judging the row; the others are the answer. */
  readonly judged: number;
}

const MAX_BYTES = 8_000_000;

/** Dropped with the decisions whose conditions the statements contain. */
export const storingStatements = statementCache<StoringStatement>(MAX_BYTES);

/**
 * Compiles a statement once.
 * @param name determines its text and all values but those of the request; undefined: nothing does
 */
export function storingStatement(
  name: string | undefined,
  compile: () => StoringStatement,
): StoringStatement {
  const known = name === undefined ? undefined : storingStatements.get(name);
  if (known) return known;
  const compiled = compile();
  if (name !== undefined && isCacheable(compiled)) storingStatements.set(name, compiled);
  return compiled;
}

/** The statement with the values of a request. */
export const filledWith = (statement: StoringStatement, row: StoredRow): StoringStatement => ({
  ...statement,
  values: statement.values.map((value) => (isPlaceholder(value) ? value(row) : value)),
});

export const storedKey: Placeholder = ({ key }) => key;

/** @returns the parameter for the value of a column */
export const bindStored = (statement: Statement, column: Column, name: string): string => {
  const placeholder: Placeholder = ({ values }) => encodeCell(column, values.get(name) as Cell);
  return statement.bind(placeholder, column.cast);
};

const isPlaceholder = (value: unknown): value is Placeholder => typeof value === 'function';
