import { type DataSource, type EntityMetadata, QueryFailedError, TableColumn } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { TableUtils } from 'typeorm/schema-builder/util/TableUtils.js';
import { pathOf } from '../database';
import { equalExpressions } from './equal-expressions';
import { rolledBack } from './rolled-back';

/** Columns of an existing table whose stored default equals the declared one in PostgreSQL's own wording. */
const EQUAL = `
  SELECT wanted.name FROM unnest($1::text[], $2::text[]) AS wanted(name, twin)
  JOIN pg_attribute stored ON stored.attrelid = to_regclass($3) AND stored.attname = wanted.name
  JOIN pg_attrdef kept ON kept.adrelid = stored.attrelid AND kept.adnum = stored.attnum
  JOIN pg_attribute made ON made.attrelid = 'pg_temp.declared'::regclass AND made.attname = wanted.twin
  JOIN pg_attrdef said ON said.adrelid = made.attrelid AND said.adnum = made.attnum
  WHERE pg_get_expr(kept.adbin, kept.adrelid) = pg_get_expr(said.adbin, said.adrelid)`;

type Driver = Pick<
  PostgresDriver,
  'normalizeDefault' | 'createFullType' | 'uuidGenerator' | 'findChangedColumns'
> & {
  defaultEqual: (declared: ColumnMetadata, stored: TableColumn) => boolean;
};

/**
 * While `work` runs, TypeORM recognises defaults, and expressions of generated columns, that PostgreSQL words
 * differently: for a time, `'10:00'` is stored as `'10:00:00'`. Otherwise every comparison would report them as changed.
 */
export async function withEqualDefaults<T>(
  dataSource: DataSource,
  work: () => Promise<T>,
): Promise<T> {
  const driver = dataSource.driver as unknown as Driver;
  const equal = new Set<ColumnMetadata>();
  const sameExpression = new Set<ColumnMetadata>();
  for (const metadata of dataSource.entityMetadatas) {
    for (const column of await equalDefaults(dataSource, driver, metadata)) equal.add(column);
    for (const column of await equalExpressions(dataSource, metadata)) sameExpression.add(column);
  }
  const { defaultEqual, findChangedColumns } = driver;
  driver.defaultEqual = (declared, stored) =>
    equal.has(declared) || defaultEqual.call(driver, declared, stored);
  driver.findChangedColumns = (stored, declared) => {
    for (const column of stored) {
      const same = declared.find(({ databaseName }) => databaseName === column.name);
      if (!same) continue;
      knowUuid(column, same, driver);
      if (sameExpression.has(same)) Object.assign(column, { asExpression: same.asExpression });
    }
    return findChangedColumns.call(driver, stored, declared);
  };
  try {
    return await work();
  } finally {
    Object.assign(driver, { defaultEqual, findChangedColumns });
  }
}

/** TypeORM takes every column with this default for a generated one. */
function knowUuid(
  stored: TableColumn,
  { isGenerated }: ColumnMetadata,
  { uuidGenerator }: Driver,
): void {
  if (stored.generationStrategy !== 'uuid' || isGenerated) return;
  Object.assign(stored, {
    isGenerated: false,
    generationStrategy: undefined,
    default: uuidGenerator,
  });
}

/** Lets PostgreSQL word the declared defaults, with a temporary table that is dropped at once. */
async function equalDefaults(
  dataSource: DataSource,
  driver: Driver,
  metadata: EntityMetadata,
): Promise<ColumnMetadata[]> {
  const columns = metadata.columns.filter(hasDefault);
  if (!metadata.synchronize || columns.length === 0) return [];
  const twins = columns.map((column, at) => {
    const options = TableUtils.createTableColumnOptions(column, dataSource.driver);
    const type = driver.createFullType(new TableColumn({ ...options, name: `c${at}` }));
    return `c${at} ${type} DEFAULT ${driver.normalizeDefault(column)}`;
  });
  const names = columns.map(({ databaseName }) => databaseName);
  const parameters = [names, names.map((_, at) => `c${at}`), pathOf(metadata)];
  try {
    const equal = await rolledBack(dataSource, async (runner) => {
      await runner.query(`CREATE TEMP TABLE declared (${twins.join(', ')})`);
      return (await runner.query(EQUAL, parameters)) as { name: string }[];
    });
    return columns.filter(({ databaseName }) => equal.some(({ name }) => name === databaseName));
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    // A type or function that the migration is still to create: no stored default can use it.
    return [];
  }
}

/** Defaults of enum types are words, stored as declared; and their type may not exist yet. */
const hasDefault = ({ default: given, type, isGenerated }: ColumnMetadata): boolean =>
  given !== undefined && given !== null && type !== 'enum' && !isGenerated;
