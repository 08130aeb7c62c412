import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { Database, Sweeper } from '../database';

/**
 * The oldest first: the entry of a creation hides those about an earlier row with the same key, so it must not be
 * removed before them.
 */
const SWEEP = `
  DELETE FROM service_activity WHERE id IN (
    SELECT id FROM service_activity WHERE timestamp < now() - $1::float8 * interval '1 millisecond'
    ORDER BY timestamp, id LIMIT $2::int4
  ) RETURNING id`;

/** Removes entries that are older than the configured retention. */
@Injectable()
export class ActivityRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeper: Sweeper;

  constructor(
    database: Database,
    private readonly config: AppConfig,
  ) {
    const values = [config.activityRetention];
    this.sweeper = new Sweeper(database, { table: 'service_activity', statement: SWEEP, values });
  }

  onApplicationBootstrap(): void {
    if (this.config.activityRetention !== Infinity) this.sweeper.start();
  }

  onModuleDestroy(): void {
    this.sweeper.stop();
  }

  sweep(): Promise<void> {
    return this.sweeper.sweep();
  }
}
