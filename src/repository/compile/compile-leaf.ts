import { type BoundLeaf, type ScalarType, type Value, expressionType, textOf } from '../../engine';
import { castOf, type SqlType } from '../registry/column';
import { asShown, isFinerThanShown } from './as-shown';
import type { Statement } from './statement';

/** `%`, `_` and the escape character itself stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Case folding as in memory: tested to match JavaScript's toLowerCase. */
export const lowered = (text: string): string => `lower(${text} COLLATE "und-x-icu")`;

/**
 * One test of one expression, as SQL that is true where the leaf holds and false or NULL where it does not.
 * The twin of `evaluateLeaf`. `{status: {_neq: 'live'}}` → `(t0."status" <> $1::text OR t0."status" IS NULL)`.
 * @param expression the column or function, as SQL
 * @param column the column behind it; none for a function's result
 */
export function compileLeaf(
  leaf: BoundLeaf,
  expression: string,
  column: SqlType | undefined,
  statement: Statement,
): string {
  const { type } = expressionType(leaf.expression);
  const cast = column?.cast ?? castOf('integer', '');
  const ordered = type === 'text' ? `${expression} COLLATE "C"` : expression;
  const operand = (at: number): string => statement.bind(leaf.operands[at], cast);
  // A stored time is the millisecond that it lies in: as a range of the column, so that an index serves.
  const isFine = column !== undefined && isFinerThanShown(type);
  const end = (at: number): string =>
    isFine ? statement.bind(endOfMillisecond(leaf.operands[at]), cast) : operand(at);
  switch (leaf.test) {
    case 'null':
      return leaf.negated ? `${expression} IS NOT NULL` : `${expression} IS NULL`;
    case 'empty':
      return compileEmpty(expression, type, leaf.negated);
    case 'eq':
      if (isFine) return compileBetween(leaf, expression, operand(0), end(0));
      return leaf.negated
        ? orNull(`${expression} <> ${operand(0)}`, expression)
        : `${expression} = ${operand(0)}`;
    case 'lt':
      return `${ordered} < ${operand(0)}`;
    case 'lte':
      return `${ordered} <= ${end(0)}`;
    case 'gt':
      return `${ordered} > ${end(0)}`;
    case 'gte':
      return `${ordered} >= ${operand(0)}`;
    case 'in':
      return compileIn(
        leaf,
        column ? asShown(expression, column) : expression,
        statement.bind(leaf.operands, `${cast}[]`),
      );
    case 'between':
      return compileBetween(leaf, ordered, operand(0), end(1));
    case 'contains':
    case 'icontains':
    case 'starts_with':
    case 'istarts_with':
    case 'ends_with':
    case 'iends_with':
      return compileText(leaf.test, leaf, expression, statement);
    case 'regex':
      throw new Error('_regex is judged in memory and never compiled');
  }
}

/** A negative operator holds for NULL too. */
const orNull = (condition: string, expression: string): string =>
  `(${condition} OR ${expression} IS NULL)`;

/** @param first what the column is at least, and `last` at most */
const compileBetween = (
  { negated }: BoundLeaf,
  expression: string,
  first: string,
  last: string,
): string =>
  negated
    ? orNull(`${expression} < ${first} OR ${expression} > ${last}`, expression)
    : `(${expression} >= ${first} AND ${expression} <= ${last})`;

/** The last moment that is shown as this one: PostgreSQL has six digits of a second. */
const endOfMillisecond = (time: Value | undefined): string | undefined =>
  time === undefined ? undefined : textOf(time).replace(/\.\d{3}/, '$&999');

const compileIn = (leaf: BoundLeaf, expression: string, list: string): string =>
  leaf.negated
    ? orNull(`${expression} <> ALL(${list})`, expression)
    : `${expression} = ANY(${list})`;

function compileEmpty(expression: string, type: ScalarType, negated: boolean): string {
  const { empty, filled } = emptyTests(expression, type);
  return negated ? filled : `(${expression} IS NULL OR ${empty})`;
}

function emptyTests(expression: string, type: ScalarType): { empty: string; filled: string } {
  if (type === 'json') {
    const values = `('""', '[]')`;
    return { empty: `${expression} IN ${values}`, filled: `${expression} NOT IN ${values}` };
  }
  if (type === 'array') {
    const length = `cardinality(${expression})`;
    return { empty: `${length} = 0`, filled: `${length} > 0` };
  }
  return { empty: `${expression} = ''`, filled: `${expression} <> ''` };
}

type TextTest =
  'contains' | 'icontains' | 'starts_with' | 'istarts_with' | 'ends_with' | 'iends_with';

const FOLDED: readonly TextTest[] = ['icontains', 'istarts_with', 'iends_with'];

function compileText(
  test: TextTest,
  leaf: BoundLeaf,
  expression: string,
  statement: Statement,
): string {
  const folded = FOLDED.includes(test);
  const operand = textOf(leaf.operands[0] ?? '');
  const part = escapeLike(folded ? operand.toLowerCase() : operand);
  const before = test.includes('starts') ? '' : '%';
  const behind = test.includes('ends') ? '' : '%';
  const pattern = statement.bind(before + part + behind, 'text');
  const text = folded ? lowered(expression) : expression;
  return leaf.negated
    ? orNull(`${text} NOT LIKE ${pattern}`, expression)
    : `${text} LIKE ${pattern}`;
}
