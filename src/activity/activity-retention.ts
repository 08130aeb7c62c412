import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { Database } from '../database';

const HOUR = 3_600_000;
/** Entries that one transaction removes: none holds its locks for long. */
const BATCH = 5_000;

/** Whoever holds it sweeps; it is free again with the end of the transaction, however that ends. */
const LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('service_activity.sweep')) AS ours`;
/** The oldest first: what a row's creation hides from others never outlives the creation. */
const SWEEP = `
  DELETE FROM service_activity WHERE id IN (
    SELECT id FROM service_activity WHERE timestamp < now() - $1::float8 * interval '1 millisecond'
    ORDER BY timestamp, id LIMIT ${BATCH}
  ) RETURNING id`;

/** Removes entries of the log that are older than they are kept: every hour, one instance at a time. */
@Injectable()
export class ActivityRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ActivityRetention.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.activityRetention === Infinity) return;
    this.timer = setInterval(() => void this.sweep(), HOUR);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    try {
      let removed = BATCH;
      while (removed === BATCH && !this.stopped) removed = await this.removeSome();
    } catch (error) {
      this.logger.warn('Old entries of the log are left for later', error);
    }
  }

  /** @returns how many; none where another instance is at it */
  private removeSome(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ ours: boolean }>(LOCK);
      if (lock?.ours !== true) return 0;
      return (await tx.query(SWEEP, [this.config.activityRetention])).length;
    });
  }
}
