import type { Driver } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { TableColumn } from 'typeorm/schema-builder/table/TableColumn.js';

type Compare = (declared: ColumnMetadata, stored: TableColumn) => boolean;

/**
 * Has TypeORM write a text that holds quotes as one literal, and know a default again that PostgreSQL words otherwise:
 * `'1.5'` of a decimal is `1.5` there, and a migration for it would be written again and again.
 */
export function mendDefaults(driver: Driver): void {
  const postgres = driver as unknown as Pick<PostgresDriver, 'normalizeDefault'> & {
    defaultEqual: Compare;
  };
  const [normalize, isEqual] = [postgres.normalizeDefault, postgres.defaultEqual];
  postgres.normalizeDefault = (column) =>
    typeof column.default === 'string'
      ? `'${column.default.replaceAll("'", "''")}'`
      : normalize.call(driver, column);
  postgres.defaultEqual = (declared, stored) =>
    isEqual.call(driver, declared, stored) ||
    (stored.type === 'numeric' &&
      isSameNumber(postgres.normalizeDefault(declared), stored.default as unknown));
}

const NUMBER = /^'?(-?\d+(?:\.\d+)?)'?$/;

function isSameNumber(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((each) => NUMBER.exec(String(each))?.[1]);
  return first !== undefined && second !== undefined && Number(first) === Number(second);
}
