import type { Queries } from '../database';

/** What jobs are sealed for. */
export const JOB_PURPOSE = 'job';

/** A job that somebody has claimed, for as long as the lease lasts. */
export interface Job {
  /** Unique and the same at every attempt. */
  readonly id: string;
  readonly content: string;
  /** This one included. */
  readonly attempts: number;
  readonly expires: Date;
  /**
   * Removes the job in the transaction that holds its effect, so that there is exactly one effect. Who does not call it
   * has the job removed after `run`, and done twice where the process dies in between.
   * @throws where the lease was lost: somebody else has the job by now
   */
  finish(tx: Queries): Promise<void>;
}

/** What does the jobs of one queue. */
export interface JobHandler {
  readonly queue: string;
  /** Jobs at once, on this instance. */
  readonly slots: number;
  /** Ends when the job is done. What it throws is tried again later, a `JobFault` as that says. */
  run(job: Job): Promise<void>;
  /** So many were not done before they expired, and are gone. */
  onExpired?(count: number): void;
}

/** What waits in a queue, on whichever instance it was added. */
export interface QueueState {
  readonly waiting: number;
  /** How many of these have failed at least once. */
  readonly failing: number;
  /** For how many seconds the oldest has waited; null where none waits. */
  readonly oldest: number | null;
  /** Why the one that failed was not done. */
  readonly last_fault: string | null;
}

/** A failure that was to be reckoned with. */
export class JobFault extends Error {
  override name = 'JobFault';

  /**
   * @param reason for the log and for administrators: no address, no token
   * @param final there is no use in trying again
   */
  constructor(
    readonly reason: string,
    readonly final: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** Milliseconds. A provider, so that tests need not wait. */
export class QueueTimes {
  /** For so long a claimed job is nobody else's: more than any job takes. */
  readonly lease: number = 120_000;
  /** So often at least each instance looks for jobs that others have left. */
  readonly look: number = 30_000;
  readonly firstRetry: number = 2_000;
  readonly longestRetry: number = 600_000;
  /** At a stop, what is under way is waited for, and otherwise done again after its lease. */
  readonly stop: number = 3_000;
}
