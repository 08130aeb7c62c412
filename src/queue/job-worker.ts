import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Database } from '../database';
import { CannotOpen, type Sealer } from '../secrets';
import {
  expectedFault,
  type Job,
  JOB_PURPOSE,
  JobFault,
  type JobHandler,
  type QueueTimes,
} from './job';
import { CLAIM, EXPIRE, FAIL, FINISH, NEXT, RENEW } from './job-sql';
import { InterruptibleWait } from './interruptible-wait';

interface ClaimedRow {
  readonly id: string;
  readonly content: string;
  readonly attempts: number;
  readonly expires_at: string;
}

/** The shortest time between two looks for jobs (ms), however many jobs fail. */
const MIN_WAIT = 50;
/** How often a lease is renewed within its duration, so that one failed renewal does no harm. */
const RENEWALS = 4;
/** How many jobs may run at once, as a multiple of the slots. When as many take long, the next ones wait for them. */
const MAX_RUNNING = 10;

/** Runs the jobs of one queue on this instance, several at a time. */
export class JobWorker {
  private readonly logger = new Logger('Queue');
  /** By the job's id. */
  private readonly running = new Map<string, Promise<void>>();
  /** The running jobs that occupy a slot. */
  private readonly slotted = new Set<ClaimedRow>();
  private readonly idleWait = new InterruptibleWait();
  private polling: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly handler: JobHandler,
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly times: QueueTimes,
  ) {}

  start(): void {
    this.polling = this.poll();
  }

  /** Call when there may be a job to run. */
  wake(): void {
    this.idleWait.interrupt();
  }

  /** Ends when nothing is running, or after a time limit: unfinished jobs run again after their lease. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.polling;
    const abort = new AbortController();
    const late = sleep(this.times.stop, undefined, { signal: abort.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.running.values()), late]);
    abort.abort();
  }

  private async poll(): Promise<void> {
    while (!this.stopped) await this.idleWait.for(await this.startDue());
  }

  /** Starts due jobs while there are free slots. @returns for how many milliseconds none is due */
  private async startDue(): Promise<number> {
    const { slots } = this.handler;
    const free = Math.min(slots - this.slotted.size, MAX_RUNNING * slots - this.running.size);
    // A job that ends wakes it.
    if (free <= 0) return this.times.pollInterval;
    try {
      const claimed = await this.claim(free);
      this.failing = false;
      if (claimed === free) return this.times.pollInterval;
      return await this.untilNext();
    } catch (error) {
      if (!this.failing && !this.stopped)
        this.logger.warn(`${this.handler.queue}: ${String(error)}`);
      this.failing = true;
      return Math.min(this.times.pollInterval, this.times.firstRetry);
    }
  }

  private async claim(limit: number): Promise<number> {
    const claim = randomUUID();
    const values = [this.handler.queue, claim, limit, this.times.lease, [...this.running.keys()]];
    const rows = await this.database.query<ClaimedRow>(CLAIM, values);
    for (const row of rows) this.startJob(row, claim);
    return rows.length;
  }

  private startJob(row: ClaimedRow, claim: string): void {
    const freeSlot = (): void => {
      this.slotted.delete(row);
      this.wake();
    };
    // A long job keeps its lease but frees its slot, so that it does not delay others.
    const renewal = setInterval(() => {
      if (this.stopped) return;
      freeSlot();
      void this.renew(row, claim);
    }, this.times.lease / RENEWALS).unref();
    const run = this.run(row, claim).finally(() => {
      clearInterval(renewal);
      this.running.delete(row.id);
      freeSlot();
    });
    this.slotted.add(row);
    this.running.set(row.id, run);
  }

  private async renew({ id }: ClaimedRow, claim: string): Promise<void> {
    try {
      await this.database.query(RENEW, [id, claim, this.times.lease]);
    } catch (error) {
      this.logger.warn(`${this.handler.queue} ${id}: its lease is not renewed: ${String(error)}`);
    }
  }

  private async untilNext(): Promise<number> {
    const expired = await this.database.query(EXPIRE, [this.handler.queue]);
    if (expired.length > 0) {
      this.logger.warn(`${this.handler.queue}: ${expired.length} expired before they were done`);
      this.handler.onExpired?.(expired.length);
    }
    const [next] = await this.database.query<{ wait: number | null }>(NEXT, [
      this.handler.queue,
      [...this.running.keys()],
    ]);
    const wait = next?.wait ?? this.times.pollInterval;
    return Math.min(Math.max(wait, MIN_WAIT), this.times.pollInterval);
  }

  /** Never fails: a job whose result could not be recorded runs again after its lease. */
  private async run(row: ClaimedRow, claim: string): Promise<void> {
    try {
      await this.attempt(row, claim);
    } catch (error) {
      await this.fail(row, claim, error).catch((failure: unknown) => {
        this.logger.warn(`${this.handler.queue}: ${String(failure)}`);
      });
    }
  }

  private async attempt(
    { id, content, attempts, expires_at }: ClaimedRow,
    claim: string,
  ): Promise<void> {
    const job: Job = {
      id,
      attempts,
      content: this.open(content, id),
      expires: new Date(expires_at),
      finish: async (tx) => {
        const finished = await tx.query(FINISH, [id, claim]);
        if (finished.length === 0) throw new JobFault('its lease was lost', false);
      },
    };
    await this.handler.run(job);
    await this.finish(id, claim);
  }

  /**
   * A job that has had its effect, such as a mail, is not tried again because its removal fails; the removal is. So soon
   * that after an outage of the database no other instance takes the job first.
   */
  private async finish(id: string, claim: string): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        await this.database.query(FINISH, [id, claim]);
        return;
      } catch (error) {
        if (isFirst)
          this.logger.warn(`${this.handler.queue} ${id}: done, but not removed: ${String(error)}`);
        if (this.stopped) return;
        await sleep(this.times.firstRetry, undefined, { ref: false });
      }
    }
  }

  private open(content: string, id: string): string {
    try {
      return this.sealer.open(content, JOB_PURPOSE, id);
    } catch (error) {
      // Another instance may have the key.
      if (error instanceof CannotOpen)
        throw new JobFault('it cannot be opened', false, { cause: error });
      throw error;
    }
  }

  private async fail({ id, attempts }: ClaimedRow, claim: string, error: unknown): Promise<void> {
    const fault = expectedFault(error);
    const reason = fault?.reason ?? (error instanceof Error ? error.name : 'unknown');
    const { queue } = this.handler;
    if (fault?.final === true) {
      this.logger.warn(`${queue} ${id}: given up: ${reason}`);
      await this.database.query(FINISH, [id, claim]);
      return;
    }
    if (fault === undefined)
      this.logger.error(error, error instanceof Error ? error.stack : undefined);
    else if (attempts === 1) this.logger.warn(`${queue} ${id}: to be tried again: ${reason}`);
    const { firstRetry, longestRetry } = this.times;
    await this.database.query(FAIL, [id, claim, reason.slice(0, 255), firstRetry, longestRetry]);
  }
}
