import Big from 'big.js';
import type { ScalarType, ValueBounds } from './schema';
import { parseDate, parseTime, parseTimestamp } from './parse-time';
import type { Json, Value } from './value';

/** A value that its column cannot hold: of the wrong type, or beyond a bound of the right one. */
export interface Misfit {
  readonly misfit: 'type' | 'range' | 'length' | 'choice';
  readonly reason: string;
}
export type Parsed = { readonly value: Value } | Misfit;

const wrong = (reason: string): Misfit => ({ misfit: 'type', reason });
const range = (reason: string): Misfit => ({ misfit: 'range', reason });

const INTEGER = /^-?\d{1,1000}$/;
const DECIMAL = /^-?\d{1,1000}(\.\d{1,1000})?$/;
/** A UUID in canonical form; clients may send capitals. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

export const isUuid = (text: string): boolean => UUID.test(text);

const JSON_DEPTH = 100;
const INT4 = { min: -(2n ** 31n), max: 2n ** 31n - 1n };
const INT8 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

export interface ColumnType extends ValueBounds {
  readonly type: ScalarType;
}

/**
 * Reads an external value as a value of the column's type.
 * @param raw from the request or the rule; never null
 * @returns the canonical value, or why the column cannot hold it
 */
export function parseValue(column: ColumnType, raw: unknown): Parsed {
  switch (column.type) {
    case 'integer':
    case 'bigint':
      return parseInteger(column, raw);
    case 'decimal':
      return parseDecimal(column, raw);
    case 'double':
      return parseDouble(raw);
    case 'boolean':
      return typeof raw === 'boolean' ? { value: raw } : wrong('must be true or false');
    case 'text':
      return parseText(column, raw);
    case 'enum':
      return parseChoice(column, raw);
    case 'uuid':
      return typeof raw === 'string' && isUuid(raw)
        ? { value: raw.toLowerCase() }
        : wrong('must be a UUID');
    case 'date':
      return parseDate(raw) ?? wrong('must be a date, YYYY-MM-DD');
    case 'time':
      return parseTime(raw) ?? wrong('must be a time, HH:MM:SS or HH:MM');
    case 'timestamp':
      return parseTimestamp(raw) ?? wrong('must be a date or an RFC 3339 time');
    case 'json':
      return parseJson(raw);
    case 'array':
      return parseArray(column, raw);
  }
}

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

function parseInteger(column: ColumnType, raw: unknown): Parsed {
  const digits = plainDigits(raw, INTEGER);
  if (digits === undefined) return wrong('must be an integer (beyond 2^53: as a string)');
  const value = BigInt(digits);
  const { min, max } = rangeOf(column);
  if (value < min || value > max) return range(`must lie between ${min} and ${max}`);
  return { value: column.type === 'integer' ? Number(value) : value.toString() };
}

function parseDecimal(column: ColumnType, raw: unknown): Parsed {
  const digits = plainDigits(raw, DECIMAL);
  if (digits === undefined) return wrong('must be a decimal number without exponent');
  const value = canonicalDecimal(digits);
  const { precision, scale = 0 } = column;
  if (precision !== undefined && wholeDigits(value, scale) > precision - scale) {
    return range(`must have at most ${precision - scale} digits before the point`);
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

function parseDouble(raw: unknown): Parsed {
  // A JSON number is a double already, however large; its exponent form is JavaScript's, not the sender's.
  if (typeof raw === 'number') {
    if (!Number.isFinite(raw)) return wrong('must be a finite number');
    return { value: raw === 0 ? 0 : raw };
  }
  const digits = plainDigits(raw, DECIMAL);
  if (digits === undefined) return wrong('must be a number without exponent');
  const value = Number(digits);
  return Number.isFinite(value) ? { value: value === 0 ? 0 : value } : range('is out of range');
}

/** Whether PostgreSQL can store the text: it has neither U+0000 nor half a surrogate pair. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\u0000') && !/[\ud800-\udfff]/u.test(text);

function parseText(column: ColumnType, raw: unknown): Parsed {
  if (typeof raw !== 'string') return wrong('must be a string');
  if (!isStorableText(raw)) return wrong('must not hold U+0000 or a lone surrogate');
  if (column.maxLength !== undefined && isLongerThan(raw, column.maxLength)) {
    return { misfit: 'length', reason: `must have at most ${column.maxLength} characters` };
  }
  return { value: raw };
}

/** Whether a text has more characters; those of a text that is far longer are not counted. */
export const isLongerThan = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > limit * 2 || Array.from(text).length > limit);

function parseChoice(column: ColumnType, raw: unknown): Parsed {
  if (typeof raw !== 'string') return wrong('must be a string');
  return column.choices?.includes(raw)
    ? { value: raw }
    : { misfit: 'choice', reason: `must be one of ${(column.choices ?? []).join(', ')}` };
}

function parseJson(raw: unknown): Parsed {
  return isStorableJson(raw, JSON_DEPTH)
    ? { value: raw as Value }
    : wrong(
        `must be JSON, at most ${JSON_DEPTH} deep, without U+0000 and lone surrogates, numbers beyond 2^53 as strings`,
      );
}

function isStorableJson(raw: unknown, depth: number): raw is Json {
  if (depth < 0) return false;
  if (raw === null || typeof raw === 'boolean') return true;
  // A larger number may differ from the one that was sent.
  if (typeof raw === 'number') return Math.abs(raw) <= Number.MAX_SAFE_INTEGER;
  if (typeof raw === 'string') return isStorableText(raw);
  if (typeof raw !== 'object') return false;
  return Array.isArray(raw)
    ? raw.every((member) => isStorableJson(member, depth - 1))
    : Object.entries(raw).every(
        ([key, member]) => isStorableText(key) && isStorableJson(member, depth - 1),
      );
}

function parseArray(column: ColumnType, raw: unknown): Parsed {
  const type = column.element ?? 'text';
  const element: ColumnType = {
    ...column,
    type: type === 'text' && column.choices ? 'enum' : type,
  };
  if (!Array.isArray(raw)) return wrong('must be a list');
  const values: Value[] = [];
  for (const member of raw) {
    const parsed: Parsed =
      member === null ? wrong('must not be null') : parseValue(element, member);
    if ('misfit' in parsed) return { ...parsed, reason: `has a member that ${parsed.reason}` };
    values.push(parsed.value);
  }
  return { value: values };
}
