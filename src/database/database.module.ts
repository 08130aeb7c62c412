import {
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { AppConfig } from '../config/app-config';
import { Broadcast, LocalBroadcast } from './broadcast/broadcast';
import { PostgresBroadcast } from './broadcast/postgres-broadcast';
import { createDataSource } from './data-source';
import { Database } from './database';
import { migrate } from './migrate';
import { SCHEMA, type SchemaPart, schemaProvider } from './schema-part';
import { STORAGE, type Storage, storageOf } from './storage';

async function openDataSource(storage: Storage, schema: SchemaPart): Promise<DataSource> {
  const dataSource = await createDataSource(storage, schema).initialize();
  try {
    await migrate(dataSource, storage);
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** TypeORM's pool, which its types do not show. */
function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

const broadcastOn = (storage: Storage): Broadcast =>
  storage.kind === 'postgres' ? new PostgresBroadcast(storage.url) : new LocalBroadcast();

@Global()
@Module({
  providers: [
    schemaProvider,
    { provide: STORAGE, inject: [AppConfig], useFactory: storageOf },
    { provide: DataSource, inject: [STORAGE, SCHEMA], useFactory: openDataSource },
    {
      provide: Database,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new Database(poolOf(dataSource)),
    },
    { provide: Broadcast, inject: [STORAGE], useFactory: broadcastOn },
  ],
  exports: [DataSource, Database, Broadcast, STORAGE, SCHEMA],
})
export class DatabaseModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    private readonly broadcast: Broadcast,
  ) {}

  /** Not before every module could be made: nobody closes what a start that is refused has opened. */
  async onModuleInit(): Promise<void> {
    await this.broadcast.open();
  }

  /** After the server has answered its last request. */
  async onApplicationShutdown(): Promise<void> {
    await this.broadcast.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
