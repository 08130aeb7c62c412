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
import { FAIL, FINISH, RENEW } from './job-sql';

/** The row of a job that this instance has claimed. */
export interface ClaimedJob {
  readonly id: string;
  /** Sealed. */
  readonly content: string;
  /** Including this one. */
  readonly attempts: number;
  readonly expires_at: string;
  /** Identifies the claim: where another worker has claimed the row since, statements with this claim find no row. */
  readonly claim: string;
}

/** Runs claimed jobs of one queue, one call for each, and records how they ended. */
export class JobRunner {
  private readonly logger = new Logger('Queue');
  private retriesRemoval = true;

  constructor(
    private readonly handler: JobHandler,
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly times: QueueTimes,
  ) {}

  /** From now on a removal that fails is not tried again: the job is left to its lease. */
  stopRetrying(): void {
    this.retriesRemoval = false;
  }

  /** Never fails: a job whose result could not be recorded runs again after its lease. */
  async run(job: ClaimedJob): Promise<void> {
    try {
      await this.attempt(job);
    } catch (error) {
      await this.recordFailure(job, error).catch((failure: unknown) => {
        this.logger.warn(`${this.handler.queue}: ${String(failure)}`);
      });
    }
  }

  /** Extends the lease of a job that is still running. Never fails. */
  async renew({ id, claim }: ClaimedJob): Promise<void> {
    try {
      await this.database.query(RENEW, [id, claim, this.times.lease]);
    } catch (error) {
      this.logger.warn(`${this.handler.queue} ${id}: its lease is not renewed: ${String(error)}`);
    }
  }

  private async attempt({ id, content, attempts, expires_at, claim }: ClaimedJob): Promise<void> {
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
    await this.remove(id, claim);
  }

  /**
   * A job that has had its effect, such as a mail, is not tried again because its removal fails; the removal is. So soon
   * that after an outage of the database no other instance takes the job first.
   */
  private async remove(id: string, claim: string): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        await this.database.query(FINISH, [id, claim]);
        return;
      } catch (error) {
        if (isFirst)
          this.logger.warn(`${this.handler.queue} ${id}: done, but not removed: ${String(error)}`);
        if (!this.retriesRemoval) return;
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

  private async recordFailure({ id, attempts, claim }: ClaimedJob, error: unknown): Promise<void> {
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
