import { Module } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { provideSchema, SideDatabase, STORAGE, type Storage } from '../database';
import { ServerModule } from '../server';
import { SettingsModule } from '../settings';
import { Counters } from './counters/counters';
import { DatabaseStore } from './counters/database-store';
import { RedisStore } from './counters/redis-store';
import type { SharedStore } from './counters/shared-store';
import { CounterKeys } from './counters/counter-keys';
import { Counter } from './counters/counter.entity';
import { RedisHealth } from './redis-health';
import { Throttle } from './throttle';

/** Only on PostgreSQL there may be several instances: they share Redis if it is configured, or else the database. */
async function sharedStore(storage: Storage, config: AppConfig): Promise<SharedStore | undefined> {
  if (config.redisUrl !== undefined) return RedisStore.of(config.redisUrl);
  if (storage.kind !== 'postgres') return undefined;
  return new DatabaseStore(new SideDatabase(storage, config));
}

@Module({
  imports: [SettingsModule, ServerModule],
  providers: [
    provideSchema({ entities: [Counter] }),
    CounterKeys,
    {
      provide: Counters,
      inject: [STORAGE, AppConfig],
      useFactory: async (storage: Storage, config: AppConfig) =>
        new Counters(await sharedStore(storage, config)),
    },
    Throttle,
    RedisHealth,
  ],
  exports: [Throttle],
})
export class ThrottleModule {}
