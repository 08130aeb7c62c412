import { Logger } from '@nestjs/common';
import { tryAdvisoryLock } from './advisory-locks';
import type { Database } from './database';

const HOUR = 3_600_000;
/** The delay of the first sweep, in ms: soon, for instances that never run for an hour, but after the load of a start. */
const FIRST_SWEEP = 60_000;
/** Rows that one transaction removes, so that none holds its locks for long. */
const BATCH = 5_000;

/** The instance that holds the lock sweeps; the lock is released at the end of the transaction, however that ends. */
const LOCK = tryAdvisoryLock('sweep');

/** Which rows to remove. */
interface Sweep {
  readonly table: string;
  /** A statement that removes at most as many rows as its last parameter says, and returns a row for each. */
  readonly statement: string;
  readonly values?: readonly unknown[];
}

/** Removes rows that are no longer needed: soon after a start and every hour, on one instance at a time, in batches. */
export class Sweeper {
  private readonly logger = new Logger(Sweeper.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly rows: Sweep,
  ) {}

  start(): void {
    this.sweepAfter(FIRST_SWEEP);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private sweepAfter(wait: number): void {
    this.timer = setTimeout(() => {
      this.sweepAfter(HOUR);
      void this.sweep();
    }, wait).unref();
  }

  async sweep(): Promise<void> {
    try {
      let removed = BATCH;
      while (removed === BATCH && !this.stopped) removed = await this.removeSome();
    } catch (error) {
      this.logger.warn(
        `Old rows of ${this.rows.table} could not be removed; the next sweep tries again`,
        error,
      );
    }
  }

  /** @returns the number of removed rows; 0 where another instance is sweeping */
  private removeSome(): Promise<number> {
    const { table, statement, values = [] } = this.rows;
    return this.database.transaction(async (tx) => {
      const [lock] = await tx.query<{ ours: boolean }>(LOCK, [table]);
      return lock?.ours === true ? (await tx.query(statement, [...values, BATCH])).length : 0;
    });
  }
}
