import { clearInterval, setInterval } from 'node:timers';
import { Logger } from '@nestjs/common';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { SideDatabase } from '../../database';
import { type SharedStore, UNLIMITED } from './shared-store';

const SWEEP_EVERY = 300_000;

/** Instances that delete expired counters at the same time take different rows, and skip those that are locked. */
const SWEEP = `
  DELETE FROM service_limits WHERE key IN
    (SELECT key FROM service_limits WHERE expire < $1::int8 FOR UPDATE SKIP LOCKED)`;

const SHORTEN = 'UPDATE service_limits SET expire = $2::int8 WHERE key = $1 AND expire > $2::int8';

interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Counters in a table. They have their own connections, since requests count while their transaction is open. */
export class DatabaseStore implements SharedStore {
  readonly name = 'database';
  readonly limiter: RateLimiterPostgres;
  private readonly logger = new Logger('Limits');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: SideDatabase) {
    this.limiter = new RateLimiterPostgres({
      ...UNLIMITED,
      storeClient: { query: (statement: Statement) => this.run(statement) },
      storeType: 'pool',
      tableName: 'service_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: '',
    });
  }

  open(): Promise<void> {
    this.timer = setInterval(() => void this.sweep(), SWEEP_EVERY);
    this.timer.unref();
    return Promise.resolve();
  }

  close(): Promise<void> {
    clearInterval(this.timer);
    return this.database.close();
  }

  async shorten(key: string, leftMs: number): Promise<void> {
    await this.database.query(SHORTEN, [key, Date.now() + leftMs]);
  }

  async sweep(): Promise<void> {
    try {
      await this.database.query(SWEEP, [Date.now()]);
    } catch (error) {
      this.logger.warn('Expired limits could not be deleted; this is tried again later', error);
    }
  }

  private async run({ text, values }: Statement): Promise<{ rows: object[]; rowCount: number }> {
    const rows = await this.database.query(text, values);
    return { rows, rowCount: rows.length };
  }
}
