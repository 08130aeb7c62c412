import { type BoundLeaf, type ScalarType, subjectType, textOf } from '../../engine';
import { castOf, type Column } from '../registry/column';
import type { Statement } from './statement';

/** `%`, `_` and the escape character itself stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Case folding as in memory: tried equal to JavaScript's toLowerCase. */
export const lowered = (text: string): string => `lower(${text} COLLATE "und-x-icu")`;

/**
 * One test of one subject, as SQL that is true where the leaf holds and false or NULL where it does not.
 * The twin of `evaluateLeaf`. `{status: {_neq: 'live'}}` → `(t0."status" <> $1::text OR t0."status" IS NULL)`.
 * @param subject the column or function, as SQL
 * @param column the column behind it; none for a function's result
 */
export function compileLeaf(
  leaf: BoundLeaf,
  subject: string,
  column: Column | undefined,
  statement: Statement,
): string {
  const { type } = subjectType(leaf.subject);
  const cast = column?.cast ?? castOf('integer', '');
  const ordered = type === 'text' ? `${subject} COLLATE "C"` : subject;
  const operand = (at: number): string => statement.bind(leaf.operands[at], cast);
  switch (leaf.test) {
    case 'null':
      return leaf.negated ? `${subject} IS NOT NULL` : `${subject} IS NULL`;
    case 'empty':
      return compileEmpty(subject, type, leaf.negated);
    case 'eq':
      return leaf.negated
        ? orNull(`${subject} <> ${operand(0)}`, subject)
        : `${subject} = ${operand(0)}`;
    case 'lt':
      return `${ordered} < ${operand(0)}`;
    case 'lte':
      return `${ordered} <= ${operand(0)}`;
    case 'gt':
      return `${ordered} > ${operand(0)}`;
    case 'gte':
      return `${ordered} >= ${operand(0)}`;
    case 'in':
      return compileIn(leaf, subject, statement.bind(leaf.operands, `${cast}[]`));
    case 'between':
      return leaf.negated
        ? orNull(`${ordered} < ${operand(0)} OR ${ordered} > ${operand(1)}`, subject)
        : `(${ordered} >= ${operand(0)} AND ${ordered} <= ${operand(1)})`;
    case 'contains':
    case 'icontains':
    case 'starts_with':
    case 'istarts_with':
    case 'ends_with':
    case 'iends_with':
      return compileText(leaf.test, leaf, subject, statement);
    case 'regex':
      throw new Error('_regex is judged in memory and never compiled');
  }
}

/** A negative operator holds for NULL too. */
const orNull = (condition: string, subject: string): string =>
  `(${condition} OR ${subject} IS NULL)`;

const compileIn = (leaf: BoundLeaf, subject: string, list: string): string =>
  leaf.negated ? orNull(`${subject} <> ALL(${list})`, subject) : `${subject} = ANY(${list})`;

function compileEmpty(subject: string, type: ScalarType, negated: boolean): string {
  const [empty, filled] =
    type === 'json'
      ? [`${subject} IN ('""', '[]')`, `${subject} NOT IN ('""', '[]')`]
      : type === 'array'
        ? [`cardinality(${subject}) = 0`, `cardinality(${subject}) > 0`]
        : [`${subject} = ''`, `${subject} <> ''`];
  return negated ? filled : `(${subject} IS NULL OR ${empty})`;
}

type TextTest =
  'contains' | 'icontains' | 'starts_with' | 'istarts_with' | 'ends_with' | 'iends_with';

const FOLDED: readonly TextTest[] = ['icontains', 'istarts_with', 'iends_with'];

function compileText(
  test: TextTest,
  leaf: BoundLeaf,
  subject: string,
  statement: Statement,
): string {
  const folded = FOLDED.includes(test);
  const operand = textOf(leaf.operands[0] ?? '');
  const part = escapeLike(folded ? operand.toLowerCase() : operand);
  const before = test.includes('starts') ? '' : '%';
  const behind = test.includes('ends') ? '' : '%';
  const pattern = statement.bind(before + part + behind, 'text');
  const text = folded ? lowered(subject) : subject;
  return leaf.negated ? orNull(`${text} NOT LIKE ${pattern}`, subject) : `${text} LIKE ${pattern}`;
}
