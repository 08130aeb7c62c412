import { type DataSource, type EntityMetadata, QueryFailedError, TableColumn } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { TableUtils } from 'typeorm/schema-builder/util/TableUtils.js';
import { pathOf } from '../database';
import { unchangedGeneratedColumns } from './unchanged-generated-columns';
import { rolledBack } from './rolled-back';

/**
 * Of the columns of a table ($1, $3), those whose stored default is worded like that of the column ($2) of the temporary
 * table.
 */
const UNCHANGED_DEFAULTS = `
  SELECT pair.name FROM unnest($1::text[], $2::text[]) AS pair(name, copy)
  JOIN pg_attribute stored ON stored.attrelid = to_regclass($3) AND stored.attname = pair.name
  JOIN pg_attrdef stored_default ON stored_default.adrelid = stored.attrelid AND stored_default.adnum = stored.attnum
  JOIN pg_attribute declared ON declared.attrelid = 'pg_temp.declared'::regclass AND declared.attname = pair.copy
  JOIN pg_attrdef declared_default
    ON declared_default.adrelid = declared.attrelid AND declared_default.adnum = declared.attnum
  WHERE pg_get_expr(stored_default.adbin, stored_default.adrelid)
    = pg_get_expr(declared_default.adbin, declared_default.adrelid)`;

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
export async function recognisingUnchanged<T>(
  dataSource: DataSource,
  work: () => Promise<T>,
): Promise<T> {
  const driver = dataSource.driver as unknown as Driver;
  const sameDefault = new Set<ColumnMetadata>();
  const sameExpression = new Set<ColumnMetadata>();
  for (const metadata of dataSource.entityMetadatas) {
    for (const column of await unchangedDefaults(dataSource, driver, metadata)) {
      sameDefault.add(column);
    }
    for (const column of await unchangedGeneratedColumns(dataSource, metadata)) {
      sameExpression.add(column);
    }
  }
  const { defaultEqual, findChangedColumns } = driver;
  driver.defaultEqual = (declared, stored) =>
    sameDefault.has(declared) || defaultEqual.call(driver, declared, stored);
  driver.findChangedColumns = (stored, declared) => {
    for (const column of stored) {
      const metadata = declared.find(({ databaseName }) => databaseName === column.name);
      if (!metadata) continue;
      correctUuid(column, metadata, driver);
      const { asExpression } = metadata;
      if (sameExpression.has(metadata)) Object.assign(column, { asExpression });
    }
    return findChangedColumns.call(driver, stored, declared);
  };
  try {
    return await work();
  } finally {
    Object.assign(driver, { defaultEqual, findChangedColumns });
  }
}

/** TypeORM takes every column with the default of a generated UUID for a generated one. */
function correctUuid(
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
async function unchangedDefaults(
  dataSource: DataSource,
  driver: Driver,
  metadata: EntityMetadata,
): Promise<ColumnMetadata[]> {
  const columns = metadata.columns.filter(hasDefault);
  if (!metadata.synchronize || columns.length === 0) return [];
  const copies = columns.map((column, at) => {
    const options = TableUtils.createTableColumnOptions(column, dataSource.driver);
    const type = driver.createFullType(new TableColumn({ ...options, name: `c${at}` }));
    return `c${at} ${type} DEFAULT ${driver.normalizeDefault(column)}`;
  });
  const names = columns.map(({ databaseName }) => databaseName);
  const parameters = [names, names.map((_, at) => `c${at}`), pathOf(metadata)];
  try {
    const unchanged = await rolledBack(dataSource, async (runner) => {
      await runner.query(`CREATE TEMP TABLE declared (${copies.join(', ')})`);
      return (await runner.query(UNCHANGED_DEFAULTS, parameters)) as { name: string }[];
    });
    return columns.filter(({ databaseName }) =>
      unchanged.some(({ name }) => name === databaseName),
    );
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    // A type or function that the migration is still to create: no stored default can use it.
    return [];
  }
}

/** Defaults of enum types are words, stored as declared; and their type may not exist yet. */
const hasDefault = ({ default: given, type, isGenerated }: ColumnMetadata): boolean =>
  given !== undefined && given !== null && type !== 'enum' && !isGenerated;
