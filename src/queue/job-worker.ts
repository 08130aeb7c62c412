import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Database } from '../database';
import type { Sealer } from '../secrets';
import { InterruptibleWait } from './interruptible-wait';
import type { JobHandler, QueueTimes } from './job';
import { type ClaimedJob, JobRunner } from './job-runner';
import { CLAIM, EXPIRE, NEXT } from './job-sql';

/** The shortest time between two looks for jobs (ms), however many jobs fail. */
const MIN_WAIT = 50;
/** How often a lease is renewed within its duration, so that one failed renewal does no harm. */
const RENEWALS = 4;
/** How many jobs may run at once, as a multiple of the slots. When as many take long, the next ones wait for them. */
const MAX_RUNNING = 10;

/** Claims jobs of one queue on this instance as soon as they are due, and has several run at a time. */
export class JobWorker {
  private readonly logger = new Logger('Queue');
  /** By the job's id. */
  private readonly running = new Map<string, Promise<void>>();
  /** The running jobs that occupy a slot. */
  private readonly slotted = new Set<ClaimedJob>();
  private readonly runner: JobRunner;
  private readonly idleWait = new InterruptibleWait();
  private polling: Promise<void> = Promise.resolve();
  private stopped = false;
  private failing = false;

  constructor(
    private readonly handler: JobHandler,
    private readonly database: Database,
    sealer: Sealer,
    private readonly times: QueueTimes,
  ) {
    this.runner = new JobRunner(handler, database, sealer, times);
  }

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
    this.runner.stopRetrying();
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
    // The end of a job interrupts this wait.
    if (free <= 0) return this.times.pollInterval;
    try {
      const claimed = await this.claim(free);
      this.failing = false;
      if (claimed === free) return this.times.pollInterval;
      await this.removeExpired();
      return await this.untilNext();
    } catch (error) {
      if (!this.failing && !this.stopped)
        this.logger.warn(`${this.handler.queue}: ${String(error)}`);
      this.failing = true;
      return Math.min(this.times.pollInterval, this.times.firstRetry);
    }
  }

  /** @returns how many were claimed */
  private async claim(limit: number): Promise<number> {
    const claim = randomUUID();
    const values = [this.handler.queue, claim, limit, this.times.lease, [...this.running.keys()]];
    const rows = await this.database.query<Omit<ClaimedJob, 'claim'>>(CLAIM, values);
    for (const row of rows) this.startJob({ ...row, claim });
    return rows.length;
  }

  private startJob(job: ClaimedJob): void {
    const freeSlot = (): void => {
      this.slotted.delete(job);
      this.wake();
    };
    // A long job keeps its lease but frees its slot, so that it does not delay others.
    const renewal = setInterval(() => {
      if (this.stopped) return;
      freeSlot();
      void this.runner.renew(job);
    }, this.times.lease / RENEWALS).unref();
    const run = this.runner.run(job).finally(() => {
      clearInterval(renewal);
      this.running.delete(job.id);
      freeSlot();
    });
    this.slotted.add(job);
    this.running.set(job.id, run);
  }

  private async removeExpired(): Promise<void> {
    const expired = await this.database.query(EXPIRE, [this.handler.queue]);
    if (expired.length === 0) return;
    this.logger.warn(`${this.handler.queue}: ${expired.length} expired before they were done`);
    this.handler.onExpired?.(expired.length);
  }

  /** @returns for how many milliseconds no job is due, or until the next poll */
  private async untilNext(): Promise<number> {
    const values = [this.handler.queue, [...this.running.keys()]];
    const [next] = await this.database.query<{ wait: number | null }>(NEXT, values);
    const wait = next?.wait ?? this.times.pollInterval;
    return Math.min(Math.max(wait, MIN_WAIT), this.times.pollInterval);
  }
}
