import { type DataSource, type EntityMetadata, getMetadataArgsStorage } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { CommandFault } from '../common/command';
import { collectionOf } from '../common/schema';
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
import { ConvertingRunner } from './converting-runner';
import { withSettledDefaults } from './settle-defaults';

/** Statements that lead from a database to the entities, and back. */
export interface Difference {
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** Of those that lead to the entities: what some stored value may not survive. */
  readonly risky: ReadonlySet<string>;
}

/**
 * The database that the entities are compared with: a replay of all migrations in memory, so that whoever runs it needs
 * none; or the real one, where that is asked for or a table is known by no migration.
 * @throws CommandFault where a migration cannot be replayed; StartupError where the real one is not up to date
 */
export async function openCompared(
  schema: SchemaPart,
  storage: Storage,
  fromDatabase: boolean,
): Promise<DataSource> {
  if (!fromDatabase && !schema.entities.some(isExisting)) return replay(schema);
  refuseMissing(storage);
  const dataSource = await createDataSource(directStorage(storage), schema).initialize();
  return orClosed(dataSource, async () => {
    await refuseUnmigrated(dataSource);
    await keepComments(dataSource);
  });
}

/** A view is compared with nothing. */
const isExisting = (entity: MappedClass): boolean =>
  !collectionOf(entity).view &&
  getMetadataArgsStorage().tables.some(
    ({ target, synchronize }) => target === entity && synchronize === false,
  );

async function replay(schema: SchemaPart): Promise<DataSource> {
  const dataSource = await createDataSource(
    { kind: 'memory', image: await emptyImage() },
    schema,
  ).initialize();
  return orClosed(dataSource, async () => {
    try {
      await dataSource.runMigrations();
    } catch (cause) {
      const told = (cause as Error).message;
      throw new CommandFault(
        `A migration cannot be replayed in memory (${told}): mend it, or compare by --from database.`,
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
 * What the entities differ in. Tables that no entity names stay as they are.
 * @param others entities that are somebody else's to bring
 */
export async function differenceOf(
  dataSource: DataSource,
  others: ReadonlySet<unknown>,
): Promise<Difference> {
  const left = dataSource.entityMetadatas.filter(
    (metadata) => metadata.synchronize && others.has(ownerOf(metadata, dataSource)),
  );
  for (const metadata of left) metadata.synchronize = false;
  try {
    const schemas = await missingSchemas(dataSource);
    const { up, ...others } = await withSettledDefaults(dataSource, () => compare(dataSource));
    return {
      up: [...schemas.map((name) => `CREATE SCHEMA IF NOT EXISTS "${name}"`), ...up],
      ...others,
    };
  } finally {
    for (const metadata of left) metadata.synchronize = true;
  }
}

async function compare({ driver }: DataSource): Promise<Difference> {
  const createQueryRunner = driver.createQueryRunner.bind(driver);
  const risky = new Set<string>();
  driver.createQueryRunner = () => new ConvertingRunner(driver as PostgresDriver, risky);
  try {
    const { upQueries, downQueries } = await driver.createSchemaBuilder().log();
    const text = ({ query }: { query: string }): string => query;
    return { up: upQueries.map(text), down: downQueries.map(text).toReversed(), risky };
  } finally {
    driver.createQueryRunner = createQueryRunner;
  }
}

/** They stay when the migration is taken back: something else may be in them by then. */
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

/** The class of a table; of a junction table, that of the list which it keeps. */
function ownerOf(metadata: EntityMetadata, { entityMetadatas }: DataSource): unknown {
  if (metadata.tableType !== 'junction') return metadata.target;
  return entityMetadatas.find(({ manyToManyRelations }) =>
    manyToManyRelations.some(
      ({ isOwning, junctionEntityMetadata }) => isOwning && junctionEntityMetadata === metadata,
    ),
  )?.target;
}
