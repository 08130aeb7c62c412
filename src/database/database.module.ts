import {
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { AppConfig } from '../config/app-config';
import { AS_IT_IS, refuseUnmigrated } from './as-it-is';
import { Broadcast } from './broadcast/broadcast';
import { EmbeddedBroadcast } from './broadcast/embedded-broadcast';
import { PostgresBroadcast } from './broadcast/postgres-broadcast';
import { createDataSource, EmbeddedDataSource } from './data-source';
import { Database } from './database';
import { migrate } from './migrate';
import { SCHEMA, type SchemaPart, schemaProvider } from './schema-part';
import { STORAGE, type Storage, storageOf } from './storage';

/** An answer that the server had to give by now, or to refuse, does not come any more. */
const ON_ITS_WAY = 5_000;

/** The pool is taken while it is there: a start that is refused meanwhile closes the data source, and shows its own fault. */
interface Opened {
  readonly dataSource: DataSource;
  readonly pool: Pool;
}

const OPENED = Symbol('Opened');

async function openDataSource(
  storage: Storage,
  schema: SchemaPart,
  config: AppConfig,
  asItIs = false,
): Promise<Opened> {
  const timeouts = { statement: config.statementTimeout, lock: config.lockTimeout };
  const dataSource = await createDataSource(storage, schema, timeouts).initialize();
  try {
    await (asItIs ? refuseUnmigrated(dataSource) : migrate(dataSource, storage));
    return { dataSource, pool: poolOf(dataSource) };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** TypeORM's pool, which its types do not show. */
function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** What is embedded runs to its end, and nothing can be sent to it meanwhile. */
function openDatabase(
  { pool }: Opened,
  storage: Storage,
  config: AppConfig,
  broadcast: Broadcast,
): Database {
  const patience = config.statementTimeout + ON_ITS_WAY;
  const remote = storage.kind === 'postgres' ? { patience, cancels: true } : {};
  return new Database(pool, { ...remote, broadcast });
}

function broadcastOn(storage: Storage, dataSource: DataSource): Broadcast {
  if (dataSource instanceof EmbeddedDataSource) return new EmbeddedBroadcast(dataSource.server);
  if (storage.kind === 'postgres') return new PostgresBroadcast(storage.url);
  throw new Error('An embedded storage without its server');
}

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    schemaProvider,
    { provide: STORAGE, inject: [AppConfig], useFactory: storageOf },
    {
      provide: OPENED,
      inject: [STORAGE, SCHEMA, AppConfig, { token: AS_IT_IS, optional: true }],
      useFactory: openDataSource,
    },
    { provide: DataSource, inject: [OPENED], useFactory: ({ dataSource }: Opened) => dataSource },
    {
      provide: Database,
      inject: [OPENED, STORAGE, AppConfig, Broadcast],
      useFactory: openDatabase,
    },
    { provide: Broadcast, inject: [STORAGE, DataSource], useFactory: broadcastOn },
  ],
  exports: [DataSource, Database, Broadcast, STORAGE, SCHEMA],
})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly broadcast: Broadcast,
  ) {}

  /** Not before every module could be made: nobody closes what a start that is refused has opened. */
  async onModuleInit(): Promise<void> {
    this.broadcast.onLost(() => this.database.distrustConnections());
    await this.broadcast.open();
  }

  /** After the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.broadcast.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
