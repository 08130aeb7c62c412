import type { Driver } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { literal } from './quote';

/**
 * Makes TypeORM write as one literal what it otherwise writes as it is: texts with quotes, lists of texts, and the
 * `true` and `false` of JSON.
 */
export function quoteDefaults(driver: Driver): void {
  const postgres = driver as unknown as Pick<PostgresDriver, 'normalizeDefault'>;
  const normalize = postgres.normalizeDefault;
  postgres.normalizeDefault = (column) => {
    const { default: value, isArray, type } = column;
    if (typeof value === 'string') return literal(value);
    if (isArray && Array.isArray(value)) return literal(`{${value.map(memberOf).join(',')}}`);
    if (typeof value === 'boolean' && type === 'jsonb') return literal(String(value));
    return normalize.call(driver, column);
  };
}

/** Members of a list that PostgreSQL would otherwise read as several members, as none, or as NULL. */
const NEEDS_QUOTES = /^$|^null$|[{}",\\\s]/i;

/** Quoted only where PostgreSQL quotes it too, so that a stored default compares as equal. */
function memberOf(member: unknown): string {
  const text = String(member);
  return typeof member === 'string' && NEEDS_QUOTES.test(text)
    ? `"${text.replace(/["\\]/g, '\\$&')}"`
    : text;
}
