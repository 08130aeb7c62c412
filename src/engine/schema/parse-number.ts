import Big from 'big.js';
import { type ColumnType, type Parsed, outOfRange, wrongType } from './parsed';

const INTEGER = /^-?\d{1,1000}$/;
const DECIMAL = /^-?\d{1,1000}(\.\d{1,1000})?$/;
const INT4 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const INT8 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

function plainDigits(raw: unknown, form: RegExp): string | undefined {
  if (typeof raw === 'string') return form.test(raw) ? raw : undefined;
  if (typeof raw !== 'number' || !Number.isFinite(raw) || Math.abs(raw) > Number.MAX_SAFE_INTEGER) {
    return undefined;
  }
  const text = Object.is(raw, -0) ? '0' : String(raw);
  // A small number is written with an exponent by JavaScript, not by the sender.
  const plain = text.includes('e') ? new Big(text).toFixed() : text;
  return form.test(plain) ? plain : undefined;
}

/** The least and the greatest value of a column of integers. */
export const rangeOf = ({ type, range: own }: ColumnType): { min: bigint; max: bigint } =>
  own ?? (type === 'integer' ? INT4 : INT8);

export function parseInteger(column: ColumnType, raw: unknown): Parsed {
  const digits = plainDigits(raw, INTEGER);
  if (digits === undefined) return wrongType('must be an integer (beyond 2^53: as a string)');
  const value = BigInt(digits);
  const { min, max } = rangeOf(column);
  if (value < min || value > max) return outOfRange(`must lie between ${min} and ${max}`);
  return { value: column.type === 'integer' ? Number(value) : value.toString() };
}

export function parseDecimal(column: ColumnType, raw: unknown): Parsed {
  const digits = plainDigits(raw, DECIMAL);
  if (digits === undefined) return wrongType('must be a decimal number without exponent');
  const value = canonicalDecimal(digits);
  const { precision, scale = 0 } = column;
  if (precision !== undefined && wholeDigits(value, scale) > precision - scale) {
    return outOfRange(`must have at most ${precision - scale} digits before the point`);
  }
  return { value };
}

/** Without a leading zero, a sign or an exponent: what most amounts look like. */
const SIMPLE_DECIMAL = /^(?:0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * A decimal as a column stores it that has `scale` digits behind the point: with a scale of 2, `1.005` becomes `1.01`.
 */
export function storedDecimal(value: string, scale: number): string {
  // Exact arithmetic costs ten times as much, for each decimal of each row that is written.
  if (SIMPLE_DECIMAL.exec(value)?.[1]?.length === scale) return value;
  return new Big(value).round(scale, Big.roundHalfUp).toFixed(scale);
}

/** The number of digits before the point after rounding: with a scale of 1, `9.99` becomes `10.0`, which has two. */
function wholeDigits(value: string, scale: number): number {
  const stored = storedDecimal(value, scale);
  const start = stored.startsWith('-') ? 1 : 0;
  const end = stored.length - (scale > 0 ? scale + 1 : 0);
  return stored[start] === '0' ? 0 : end - start;
}

/** Drops leading zeros and a negative zero, keeps the digits behind the point. */
function canonicalDecimal(digits: string): string {
  const plain = digits.replace(/^(-?)0+(?=\d)/, '$1');
  return /^-0(\.0*)?$/.test(plain) ? plain.slice(1) : plain;
}

export function parseDouble(raw: unknown): Parsed {
  // A JSON number is a double already, however large; its exponent form is JavaScript's, not the sender's.
  if (typeof raw === 'number') {
    if (!Number.isFinite(raw)) return wrongType('must be a finite number');
    return { value: raw === 0 ? 0 : raw };
  }
  const digits = plainDigits(raw, DECIMAL);
  if (digits === undefined) return wrongType('must be a number without exponent');
  const value = Number(digits);
  return Number.isFinite(value)
    ? { value: value === 0 ? 0 : value }
    : outOfRange('is out of range');
}
