import { type ColumnType, type Parsed, wrongType } from './parsed';
import { parseDecimal, parseDouble, parseInteger } from './parse-number';
import { parseDate, parseTime, parseTimestamp } from './parse-time';
import type { Json, Value } from './value';

/** A UUID in canonical form; clients may send capitals. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

export const isUuid = (text: string): boolean => UUID.test(text);

const JSON_DEPTH = 100;

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
      return typeof raw === 'boolean' ? { value: raw } : wrongType('must be true or false');
    case 'text':
      return parseText(column, raw);
    case 'enum':
      return parseChoice(column, raw);
    case 'uuid':
      return typeof raw === 'string' && isUuid(raw)
        ? { value: raw.toLowerCase() }
        : wrongType('must be a UUID');
    case 'date':
      return parseDate(raw) ?? wrongType('must be a date, YYYY-MM-DD');
    case 'time':
      return parseTime(raw) ?? wrongType('must be a time, HH:MM:SS or HH:MM');
    case 'timestamp':
      return parseTimestamp(raw) ?? wrongType('must be a date or an RFC 3339 time');
    case 'json':
      return parseJson(raw);
    case 'array':
      return parseArray(column, raw);
  }
}

/** Whether PostgreSQL can store the text: it has neither U+0000 nor half a surrogate pair. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\u0000') && !/[\ud800-\udfff]/u.test(text);

function parseText(column: ColumnType, raw: unknown): Parsed {
  if (typeof raw !== 'string') return wrongType('must be a string');
  if (!isStorableText(raw)) return wrongType('must not hold U+0000 or a lone surrogate');
  if (column.maxLength !== undefined && isLongerThan(raw, column.maxLength)) {
    return { misfit: 'length', reason: `must have at most ${column.maxLength} characters` };
  }
  return { value: raw };
}

/** Whether a text has more characters; those of a text that is far longer are not counted. */
export const isLongerThan = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > limit * 2 || Array.from(text).length > limit);

function parseChoice(column: ColumnType, raw: unknown): Parsed {
  if (typeof raw !== 'string') return wrongType('must be a string');
  return column.choices?.includes(raw)
    ? { value: raw }
    : { misfit: 'choice', reason: `must be one of ${(column.choices ?? []).join(', ')}` };
}

function parseJson(raw: unknown): Parsed {
  return isStorableJson(raw, JSON_DEPTH)
    ? { value: raw as Value }
    : wrongType(
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
  if (!Array.isArray(raw)) return wrongType('must be a list');
  const values: Value[] = [];
  for (const member of raw) {
    const parsed: Parsed =
      member === null ? wrongType('must not be null') : parseValue(element, member);
    if ('misfit' in parsed) return { ...parsed, reason: `has a member that ${parsed.reason}` };
    values.push(parsed.value);
  }
  return { value: values };
}
