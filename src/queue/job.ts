import { isFault, ServiceUnavailable } from '../common/errors';
import type { Queries } from '../database';

/** The purpose for sealing jobs. */
export const JOB_PURPOSE = 'job';

/** A job that a worker has claimed, as long as the lease lasts. */
export interface Job {
  /** Unique and the same at every attempt. */
  readonly id: string;
  readonly content: string;
  /** Including this one. */
  readonly attempts: number;
  readonly expires: Date;
  /**
   * Removes the job in the transaction that holds its effect, so that there is exactly one effect. Without this call
   * the job is removed after `run`, and runs twice if the process dies in between.
   * @throws where the lease was lost: another worker has the job
   */
  finish(tx: Queries): Promise<void>;
}

/** Runs the jobs of one queue. */
export interface JobHandler {
  readonly queue: string;
  /** Simultaneous jobs on this instance. A job that takes long frees its slot; ten times as many may then run. */
  readonly slots: number;
  /** Ends when the job is done. After an error it is tried again later; a `JobFault` decides that itself. */
  run(job: Job): Promise<void>;
  /** How many jobs expired before they were done, and were removed. */
  onExpired?(count: number): void;
}

/** How many jobs of a queue wait, from any instance. */
export interface Backlog {
  readonly queue: string;
  readonly waiting: number;
  /** How many of these have failed at least once. */
  readonly failing: number;
}

/** The waiting jobs of a queue, from any instance. */
export interface QueueState extends Omit<Backlog, 'queue'> {
  /** How many seconds the oldest has waited; null where none is waiting. */
  readonly oldest: number | null;
  /** Why the failed one was not done. */
  readonly last_fault: string | null;
}

/** An expected failure. */
export class JobFault extends Error {
  override name = 'JobFault';

  /**
   * @param reason for the log and for administrators: without addresses and tokens
   * @param final another attempt would fail as well
   */
  constructor(
    readonly reason: string,
    readonly final: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** A limit, such as a full queue of mails, is not a fault of ours: the job waits like one whose mail is refused for now. */
export function expectedFault(error: unknown): JobFault | undefined {
  if (error instanceof JobFault) return error;
  const isLimit = error instanceof ServiceUnavailable && !isFault(error);
  return isLimit ? new JobFault(error.message, false, { cause: error }) : undefined;
}

/** Milliseconds. A provider, so that tests can shorten them. */
export class QueueTimes {
  /** How long a claimed job is reserved; renewed while it runs, so a crash delays the job by at most this. */
  readonly lease: number = 120_000;
  /** How often each instance looks for jobs that others have left. */
  readonly pollInterval: number = 30_000;
  readonly firstRetry: number = 2_000;
  readonly longestRetry: number = 600_000;
  /** How long a stop waits for running jobs; unfinished ones run again after their lease. */
  readonly stop: number = 3_000;
}
