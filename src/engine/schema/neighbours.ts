import Big from 'big.js';
import type { ColumnType } from './parsed';
import { rangeOf } from './parse-number';
import { compareValues, digitsOf, type Value } from './value';

/** The values of a column that are next to a number: both are the number itself where the column can hold it. */
export interface Neighbours {
  /** The greatest value that is not above the number; none where all are. */
  readonly below?: Value;
  /** The least value that is not below it; none where all are. */
  readonly above?: Value;
}

/**
 * @param number of any type; NaN is the greatest, as in PostgreSQL
 * @param column of a type of numbers
 */
export function neighboursOf(number: Value, column: ColumnType): Neighbours {
  const digits = digitsOf(number);
  switch (column.type) {
    case 'integer':
    case 'bigint':
      return integersBeside(digits, column);
    case 'double':
      return doublesBeside(digits);
    default:
      // As a parameter: without the column's precision, which would round it.
      return { below: digits, above: digits };
  }
}

function integersBeside(digits: string, column: ColumnType): Neighbours {
  const { min, max } = rangeOf(column);
  const held = (value: bigint): Value =>
    column.type === 'integer' ? Number(value) : value.toString();
  if (compareValues('decimal', digits, max.toString()) > 0) return { below: held(max) };
  if (compareValues('decimal', digits, min.toString()) < 0) return { above: held(min) };
  const number = new Big(digits);
  const below = number.round(0, number.lt(0) ? Big.roundUp : Big.roundDown);
  const above = below.eq(number) ? below : below.plus(1);
  return { below: held(BigInt(below.toFixed())), above: held(BigInt(above.toFixed())) };
}

/** The doubles between which a decimal number lies; a double counts as the shortest decimal that is read as it. */
function doublesBeside(digits: string): Neighbours {
  const nearest = Number(digits) + 0;
  const order = compareValues('decimal', digitsOf(nearest), digits);
  return {
    below: order > 0 ? nextDouble(nearest, -1) : nearest,
    above: order < 0 ? nextDouble(nearest, 1) : nearest,
  };
}

function nextDouble(double: number, step: 1 | -1): number {
  if (double === 0) return step * Number.MIN_VALUE;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, double);
  bytes.setBigUint64(0, bytes.getBigUint64(0) + BigInt(double > 0 ? step : -step));
  return bytes.getFloat64(0) + 0;
}
