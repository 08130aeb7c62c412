import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { closePool } from './close-pool';
import { quoteDefaults } from './column-defaults';
import { asConnectionFailure } from './connection-failure';
import {
  CONNECTION_TIMEOUT,
  connectionOptions,
  NO_TIMEOUTS,
  type Timeouts,
  warnOfBreak,
} from './connection-options';
import { EmbeddedServer } from './embedded/embedded-server';
import { WireStream } from './embedded/wire-stream';
import { forgetVanishedIn } from './marks/forget-vanished';
import { keepUniquesToLiveRows } from './live-uniques';
import { buildEntityMetadata } from './entity-metadata';
import { migrationFault } from './migration-fault';
import { ReadableNaming } from './naming';
import { SequentialQueryRunner } from './sequential-query-runner';
import type { SchemaPart } from './schema-part';
import type { PostgresStorage, Storage } from './storage';
import { typeParsers } from './type-parsers';

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/**
 * The data source of the application and of the command line: one driver for any storage.
 * @param timeouts of a service that answers requests; a migration has none
 */
export function createDataSource(
  storage: Storage,
  schema: SchemaPart,
  timeouts: Timeouts = NO_TIMEOUTS,
): ServiceDataSource {
  const options: PostgresOptions = {
    type: 'postgres',
    migrations: [...schema.migrations],
    migrationsTableName: 'service_migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new ReadableNaming(),
    // gen_random_uuid() is built into PostgreSQL; no extension is needed for it.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: ['warn'],
    poolErrorHandler: warnOfBreak,
  };
  if (storage.kind === 'postgres') {
    return new RemoteDataSource(
      { ...options, ...connectionOptions(storage, timeouts) },
      schema,
      storage,
    );
  }
  return new EmbeddedDataSource(options, schema, new EmbeddedServer(storage));
}

/** The service's own data source, injected by this class: TypeORM's token may be a team's. */
export class ServiceDataSource extends DataSource {
  constructor(
    options: PostgresOptions,
    private readonly schema: SchemaPart,
  ) {
    super(options);
    quoteDefaults(this.driver);
    const driver = this.driver as unknown as PostgresDriver;
    driver.createQueryRunner = (mode) => new SequentialQueryRunner(driver, mode);
  }

  /** TypeORM keeps the metadata of a class for the whole process; fields that modules add belong to one application. */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    const entityMetadatas = buildEntityMetadata(this, this.schema);
    for (const metadata of entityMetadatas) keepUniquesToLiveRows(metadata, this.namingStrategy);
    const byClass = new Map(entityMetadatas.map((metadata) => [metadata.target, metadata]));
    Object.assign(this, { entityMetadatas, entityMetadatasMap: byClass });
  }

  /** TypeORM's pool, which its types lack. */
  get pool(): Pool {
    return (this.driver as unknown as { master: Pool }).master;
  }

  override destroy(): Promise<void> {
    return closePool(this.pool, () => super.destroy());
  }

  /** Rules on tables and columns that a migration removes are deleted, however it is run. */
  override async runMigrations(
    ...options: Parameters<DataSource['runMigrations']>
  ): ReturnType<DataSource['runMigrations']> {
    const run = await super.runMigrations(...options).catch(async (error: unknown) => {
      throw migrationFault(await this.firstPending(), error);
    });
    await forgetVanishedIn(this);
    return run;
  }

  /** The one that failed: each migration before it was committed separately. */
  private async firstPending(): Promise<string> {
    const pending = await new MigrationExecutor(this).getPendingMigrations().catch(() => []);
    return pending[0]?.name ?? '';
  }
}

/** Says which database could not be reached, and which setting names it. */
class RemoteDataSource extends ServiceDataSource {
  constructor(
    options: PostgresOptions,
    schema: SchemaPart,
    private readonly storage: PostgresStorage,
  ) {
    super(options, schema);
  }

  override async initialize(): Promise<this> {
    try {
      return await super.initialize();
    } catch (error) {
      throw asConnectionFailure(error, this.storage);
    }
  }
}

/** Opens and closes the embedded server with the pool. */
export class EmbeddedDataSource extends ServiceDataSource {
  constructor(
    options: PostgresOptions,
    schema: SchemaPart,
    readonly server: EmbeddedServer,
  ) {
    const extra = {
      types: typeParsers,
      user: 'postgres',
      database: 'postgres',
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      stream: () => new WireStream(server),
    };
    super({ ...options, extra }, schema);
  }

  override async initialize(): Promise<this> {
    await this.server.open();
    try {
      return await super.initialize();
    } catch (error) {
      await this.server.close();
      throw error;
    }
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.server.close();
  }
}
