import {
  Global,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { Pool } from 'pg';
import { Metrics } from '../common/metrics/metrics';
import { AppConfig } from '../config/app-config';
import { EXISTING_DATABASE_ONLY, refuseUnmigrated } from './existing-database';
import { Broadcast } from './broadcast/broadcast';
import { EmbeddedBroadcast } from './broadcast/embedded-broadcast';
import { PostgresBroadcast } from './broadcast/postgres-broadcast';
import { createDataSource, EmbeddedDataSource, ServiceDataSource } from './data-source';
import { Database } from './database';
import { declaredNames } from './declared-names';
import { OneConnection } from './embedded/one-connection';
import { GIVEN_STORAGE } from './given-storage';
import { migrate } from './migrate';
import { OpenedDataSources } from './opened-data-sources';
import { refuseReadOnly } from './refuse-read-only';
import { refuseOutdatedSchema } from './refuse-outdated-schema';
import { SCHEMA, type SchemaPart, schemaProvider } from './schema-part';
import { checkSessionSettings } from './session-settings';
import { directStorage, STORAGE, type Storage, storageOf } from './storage';

/** Milliseconds that an answer may take beyond the statement timeout; one that takes longer will not arrive. */
const ANSWER_MARGIN_MS = 5_000;

/**
 * The pool is read at once: a start that is refused meanwhile closes the data source, and then its own error must be
 * shown, and not one about the pool.
 */
interface Opened {
  readonly dataSource: ServiceDataSource;
  readonly pool: Pool;
}

/** Milliseconds that closing waits for work after commits. */
const SETTLE_TIMEOUT_MS = 5_000;

const OPENED = Symbol('Opened');

async function openDataSource(
  storage: Storage,
  schema: SchemaPart,
  config: AppConfig,
  existingOnly: boolean,
): Promise<Opened> {
  const timeouts = { statement: config.statementTimeout, lock: config.lockTimeout };
  const dataSource = await createDataSource(storage, schema, timeouts).initialize();
  try {
    await (existingOnly
      ? refuseUnmigrated(dataSource)
      : migrateDirectly(dataSource, storage, schema));
    if (!existingOnly) await refuseReadOnly(dataSource);
    if (storage.kind === 'postgres') await checkSessionSettings(dataSource, timeouts);
    return { dataSource, pool: dataSource.pool };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/**
 * Bypasses a pooler where a direct address is configured: a migration may need its session for longer than a
 * transaction.
 */
async function migrateDirectly(
  dataSource: ServiceDataSource,
  storage: Storage,
  schema: SchemaPart,
): Promise<void> {
  const direct = directStorage(storage);
  if (direct === storage) return void (await migrate(dataSource, storage));
  const own = await createDataSource(direct, schema).initialize();
  try {
    await migrate(own, direct);
  } finally {
    await own.destroy();
  }
}

const dataSourceOf = ({ dataSource }: Opened): ServiceDataSource => dataSource;

/** The embedded server cannot cancel a running statement, since nothing can be sent to it meanwhile. */
function openDatabase(
  { dataSource, pool }: Opened,
  storage: Storage,
  config: AppConfig,
  broadcast: Broadcast,
): Database {
  const timeoutMs = config.statementTimeout + ANSWER_MARGIN_MS;
  const how =
    storage.kind === 'postgres'
      ? { timeoutMs, cancels: true, pipelines: true, names: storage.statementNames }
      : { oneConnection: new OneConnection(pool) };
  return new Database(pool, { ...how, broadcast, declared: declaredNames(dataSource) });
}

function broadcastOn(storage: Storage, dataSource: ServiceDataSource): Broadcast {
  if (dataSource instanceof EmbeddedDataSource) return new EmbeddedBroadcast(dataSource.server);
  if (storage.kind === 'postgres') return new PostgresBroadcast(directStorage(storage).url);
  throw new Error('An embedded storage without its server');
}

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    schemaProvider,
    {
      provide: STORAGE,
      inject: [AppConfig, { token: GIVEN_STORAGE, optional: true }],
      useFactory: (config: AppConfig, given = storageOf(config)): Storage => given,
    },
    {
      provide: OPENED,
      inject: [
        STORAGE,
        SCHEMA,
        AppConfig,
        { token: EXISTING_DATABASE_ONLY, optional: true },
        { token: OpenedDataSources, optional: true },
      ],
      useFactory: (
        storage: Storage,
        schema: SchemaPart,
        config: AppConfig,
        existingOnly = false,
        opened = new OpenedDataSources(),
      ) => opened.open(() => openDataSource(storage, schema, config, existingOnly)),
    },
    { provide: ServiceDataSource, inject: [OPENED], useFactory: dataSourceOf },
    {
      provide: Database,
      inject: [OPENED, STORAGE, AppConfig, Broadcast],
      useFactory: openDatabase,
    },
    { provide: Broadcast, inject: [STORAGE, ServiceDataSource], useFactory: broadcastOn },
  ],
  exports: [ServiceDataSource, Database, Broadcast, STORAGE, SCHEMA],
})
export class DatabaseModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly dataSource: ServiceDataSource,
    private readonly database: Database,
    private readonly broadcast: Broadcast,
    metrics: Metrics,
  ) {
    database.addMetrics(metrics);
  }

  /** Only once every module could be created: a refused start would not close what it opened earlier. */
  async onModuleInit(): Promise<void> {
    this.broadcast.onLost(() => this.database.distrustConnections());
    await this.broadcast.open(this.database);
  }

  /** Once all errors of declarations have been reported: tables are created from these. */
  onApplicationBootstrap(): Promise<void> {
    return refuseOutdatedSchema(this.dataSource);
  }

  /** After the server has answered its last request, and work after answers has ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.database.backgroundWork.settled(SETTLE_TIMEOUT_MS);
    await this.broadcast.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
