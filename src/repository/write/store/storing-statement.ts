import { LRUCache } from 'lru-cache';
import type { Cell } from '../../../engine';
import { textLength } from '../../../common/text-length';
import type { Compiled, Statement } from '../../compile/statement';
import type { Key, Values } from '../../hooks';
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
  /** Who writes, as whoever keeps the log says it. */
  readonly actor: readonly unknown[];
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

/** Bytes that the whole cache may use. */
const MAX_BYTES = 8_000_000;
const OF_STATEMENT = 500;
const OF_VALUE = 50;
/** Characters: a longer statement takes so long to run that compiling it does not matter. */
const MAX_TEXT = 16_384;

/** Dropped with the decisions whose conditions the statements contain. */
export const storingStatements = new LRUCache<string, StoringStatement>({
  maxSize: MAX_BYTES,
  sizeCalculation: ({ text, values }, name) =>
    values.reduce<number>(
      (sum, value) => sum + OF_VALUE + (isPlaceholder(value) ? 0 : textLength(value)),
      OF_STATEMENT + text.length + name.length,
    ),
});

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
  if (name !== undefined && compiled.text.length <= MAX_TEXT) storingStatements.set(name, compiled);
  return compiled;
}

/** The statement with the values of a request. */
export const filledWith = (statement: StoringStatement, row: StoredRow): StoringStatement => ({
  text: statement.text,
  values: statement.values.map((value) => (isPlaceholder(value) ? value(row) : value)),
  own: statement.own,
  judged: statement.judged,
});

export const bindKey = (statement: Statement, cast: string): string =>
  statement.bind(keyPlaceholder, cast);

/** @returns the parameter for the value of a column */
export const bindStored = (statement: Statement, column: Column, name: string): string => {
  const placeholder: Placeholder = ({ values }) => encodeCell(column, values.get(name) as Cell);
  return statement.bind(placeholder, column.cast);
};

const keyPlaceholder: Placeholder = ({ key }) => key;

const isPlaceholder = (value: unknown): value is Placeholder => typeof value === 'function';
