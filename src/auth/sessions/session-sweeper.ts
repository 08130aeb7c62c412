import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database } from '../../database';

const HOUR = 3_600_000;
/** Rows that one transaction removes: none holds its locks for long. */
const BATCH = 5_000;

/** Whoever holds it sweeps; it is free again with the end of the transaction, however that ends. */
const LOCK = `SELECT pg_try_advisory_xact_lock(hashtext('service_sessions.sweep')) AS ours`;
const SWEEP = `
  DELETE FROM service_sessions WHERE id IN (
    SELECT id FROM service_sessions WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

/** Removes sessions that have expired, which nothing counts any more: every hour, one instance at a time. */
@Injectable()
export class SessionSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SessionSweeper.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
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
      this.logger.warn('Expired sessions are left for later', error);
    }
  }

  /** @returns how many; none where another instance is at it */
  private removeSome(): Promise<number> {
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ ours: boolean }>(LOCK);
      return lock?.ours === true ? (await tx.query(SWEEP)).length : 0;
    });
  }
}
