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
    const { default: given, isArray, type } = column;
    if (typeof given === 'string') return literal(given);
    if (isArray && Array.isArray(given)) return literal(`{${given.map(memberOf).join(',')}}`);
    if (typeof given === 'boolean' && type === 'jsonb') return literal(String(given));
    return normalize.call(driver, column);
  };
}

/** What PostgreSQL would read as several members, as none, or as NULL. */
const READ_OTHERWISE = /^$|^null$|[{}",\\\s]/i;

/** Quoted only where PostgreSQL quotes it too, so that a stored default compares as equal. */
function memberOf(given: unknown): string {
  const text = String(given);
  return typeof given === 'string' && READ_OTHERWISE.test(text)
    ? `"${text.replace(/["\\]/g, '\\$&')}"`
    : text;
}
