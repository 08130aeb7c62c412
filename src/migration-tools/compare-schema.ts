import type { DataSource, EntityMetadata } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { CommandFault } from '../common/command';
import { collectionOf, isExisting } from '../common/schema';
import {
  createDataSource,
  directStorage,
  emptyImage,
  keepComments,
  refuseMissing,
  refuseUnmigrated,
  type MappedClass,
  type SchemaPart,
  type Storage,
} from '../database';
import { changedConstraints } from './changed-constraints';
import { changedIndexes } from './changed-indexes';
import { ConvertingRunner } from './converting-runner';
import { recognisingUnchanged } from './unchanged-expressions';

/** The statements that change a database to match the entities, and those that undo it. */
export interface Difference {
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Statements of the first kind that some stored value may not survive. */
  readonly risky: ReadonlySet<string>;
}

/**
 * Opens the database to compare the entities with: a replay of all migrations in memory, which needs no database; or
 * the configured one, if that is requested or a table is known to no migration.
 * @throws CommandFault where a migration cannot be replayed; StartupError where the configured database is not up to
 * date
 */
export async function openCompared(
  schema: SchemaPart,
  storage: Storage,
  fromDatabase: boolean,
): Promise<DataSource> {
  if (!fromDatabase && !schema.entities.some(isComparedThere)) return replay(schema);
  refuseMissing(storage);
  const dataSource = await createDataSource(directStorage(storage), schema).initialize();
  return orClosed(dataSource, async () => {
    await refuseUnmigrated(dataSource);
    await keepComments(dataSource);
  });
}

/** A table that no migration creates is in the database alone. Views are not compared. */
const isComparedThere = (entity: MappedClass): boolean =>
  isExisting(entity) && !collectionOf(entity).view;

async function replay(schema: SchemaPart): Promise<DataSource> {
  const dataSource = await createDataSource(
    { kind: 'memory', image: await emptyImage() },
    schema,
  ).initialize();
  return orClosed(dataSource, async () => {
    try {
      await dataSource.runMigrations();
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new CommandFault(
        `A migration cannot be replayed in memory (${reason}): correct it, or compare with --from database.`,
        { cause },
      );
    }
  });
}

async function orClosed(dataSource: DataSource, work: () => Promise<void>): Promise<DataSource> {
  try {
    await work();
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/**
 * The differences between a database and the entities. Tables that no entity names are left alone.
 * @param others entities whose migrations belong elsewhere
 */
export async function differenceOf(
  dataSource: DataSource,
  others: ReadonlySet<unknown>,
): Promise<Difference> {
  const excluded = dataSource.entityMetadatas.filter(
    (metadata) => metadata.synchronize && others.has(ownerOf(metadata, dataSource)),
  );
  for (const metadata of excluded) metadata.synchronize = false;
  try {
    const schemas = await missingSchemas(dataSource);
    const found = await recognisingUnchanged(dataSource, () => compare(dataSource));
    const creations = schemas.map((name) => `CREATE SCHEMA IF NOT EXISTS "${name}"`);
    return { ...found, up: [...creations, ...found.up] };
  } finally {
    for (const metadata of excluded) metadata.synchronize = true;
  }
}

async function compare(dataSource: DataSource): Promise<Difference> {
  const { driver, entityMetadatas } = dataSource;
  const changed = {
    indexes: await changedIndexes(dataSource),
    constraints: await changedConstraints(dataSource),
  };
  const createQueryRunner = driver.createQueryRunner.bind(driver);
  const risky = new Set<string>();
  driver.createQueryRunner = () => new ConvertingRunner(driver as PostgresDriver, risky, changed);
  try {
    const { upQueries, downQueries } = await driver.createSchemaBuilder().log();
    const isDeclared = entityMetadatas.some(({ schema }) => schema === driver.schema);
    const unbound = withoutSchema(isDeclared ? undefined : driver.schema);
    const text = ({ query }: { query: string }): string => unbound(query);
    return {
      up: upQueries.map(text),
      down: downQueries.map(text).toReversed(),
      risky: new Set([...risky].map(unbound)),
    };
  } finally {
    driver.createQueryRunner = createQueryRunner;
  }
}

/**
 * TypeORM writes tables without the schema in which they are made by default, but enum types and dropped indexes with
 * it; on a database with another search path, such statements would miss what the migration made there.
 */
function withoutSchema(name: string | undefined): (sql: string) => string {
  if (name === undefined) return (sql) => sql;
  const prefix = `"${name}".`;
  return (sql) => sql.replace(QUOTED, (quoted) => (quoted === prefix ? '' : quoted));
}

/** A text, or a name with the dot after it: what stands within a text is left as it is. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"\.?/g;

/** Schemas are not dropped when the migration is reverted: something else may be in them by then. */
async function missingSchemas(dataSource: DataSource): Promise<string[]> {
  const named = dataSource.entityMetadatas.flatMap(({ synchronize, schema }) =>
    synchronize && schema !== undefined ? [schema] : [],
  );
  const missing = await dataSource.query<{ name: string }[]>(
    'SELECT DISTINCT name FROM unnest($1::text[]) AS name WHERE to_regnamespace(quote_ident(name)) IS NULL',
    [named],
  );
  return missing.map(({ name }) => name);
}

/** The class of a table; for a junction table, the class with the list that owns it. */
function ownerOf(metadata: EntityMetadata, { entityMetadatas }: DataSource): unknown {
  if (metadata.tableType !== 'junction') return metadata.target;
  return entityMetadatas.find(({ manyToManyRelations }) =>
    manyToManyRelations.some(
      ({ isOwning, junctionEntityMetadata }) => isOwning && junctionEntityMetadata === metadata,
    ),
  )?.target;
}
