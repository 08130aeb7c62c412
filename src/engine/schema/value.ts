import Big from 'big.js';
import type { ScalarType } from './schema';
import { compareTimes } from './stored-time';

export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * A cell in its canonical form. integer and double: number; bigint and decimal: plain decimal text; boolean; text, enum,
 * uuid (lower case); date `YYYY-MM-DD`; time `HH:MM:SS.mmm`; timestamp `YYYY-MM-DDTHH:MM:SS.mmmZ`; json and array: JSON.
 */
export type Value = Exclude<Json, null>;
export type Cell = Value | null;

/** A value as text: a string as it is, anything else as JSON. */
export const textOf = (value: Value): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/**
 * A number of any type in plain digits, or as NaN, Infinity or -Infinity: `1e-7` → `0.0000001`, `500.00` → `500`.
 */
export function digitsOf(number: Value): string {
  const text = typeof number === 'number' ? String(number) : textOf(number);
  return isPlain(text) ? new Big(text).toFixed() : text;
}

/**
 * Orders two values of one type: negative, zero or positive.
 * Text is ordered by code point, as PostgreSQL's collation "C" does.
 */
export function compareValues(type: ScalarType, left: Value, right: Value): number {
  switch (type) {
    case 'integer':
    case 'double':
      return compareNumbers(Number(left), Number(right));
    case 'bigint':
      return compareBigints(BigInt(textOf(left)), BigInt(textOf(right)));
    case 'decimal':
      return compareDecimals(textOf(left), textOf(right));
    case 'boolean':
      return Number(left) - Number(right);
    case 'date':
    case 'timestamp':
      return compareTimes(textOf(left), textOf(right));
    case 'text':
    case 'enum':
    case 'uuid':
    case 'time':
    case 'json':
    case 'array':
      return compareCodePoints(textOf(left), textOf(right));
  }
}

/** A value in a form in which equal ones of one type are the same: `1.50` → `1.5`. */
export function canonical(type: ScalarType, value: Value): Value {
  switch (type) {
    case 'integer':
    case 'double':
    case 'boolean':
      return Number(value);
    case 'bigint':
      return BigInt(textOf(value)).toString();
    case 'decimal':
      return isPlain(textOf(value)) ? new Big(textOf(value)).toFixed() : textOf(value);
    default:
      return textOf(value);
  }
}

/** As PostgreSQL orders them: NaN equals itself and is the greatest. */
function compareNumbers(left: number, right: number): number {
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

/** Only a stored decimal can be NaN or infinite; no client can send one. */
const isPlain = (decimal: string): boolean => /\d/.test(decimal);

const compareDecimals = (left: string, right: string): number =>
  isPlain(left) && isPlain(right)
    ? new Big(left).cmp(new Big(right))
    : compareNumbers(unplain(left), unplain(right));

const unplain = (decimal: string): number => (isPlain(decimal) ? 0 : Number(decimal));

const compareBigints = (left: bigint, right: bigint): number =>
  left < right ? -1 : left > right ? 1 : 0;

/** UTF-16 puts surrogates below U+E000; code points do not. */
function codePointRank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const difference = codePointRank(left.charCodeAt(at)) - codePointRank(right.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
