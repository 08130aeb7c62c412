import type { Driver } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** Makes TypeORM write a default text with quotes as one literal. */
export function quoteDefaults(driver: Driver): void {
  const postgres = driver as unknown as Pick<PostgresDriver, 'normalizeDefault'>;
  const normalize = postgres.normalizeDefault;
  postgres.normalizeDefault = (column) =>
    typeof column.default === 'string'
      ? `'${column.default.replaceAll("'", "''")}'`
      : normalize.call(driver, column);
}
