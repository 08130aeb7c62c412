import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ServiceUnavailable } from '../common/errors';
import { Database, type Queries, type Tx } from '../database';
import { Sealer } from '../secrets';
import { type Backlog, JOB_PURPOSE, type JobHandler, type QueueState, QueueTimes } from './job';
import { ADD, BACKLOG, STATE } from './job-sql';
import { JobWorker } from './job-worker';

/** Jobs that may wait in one queue, and bytes of one. */
const MAX_JOBS = 10_000;
const MAX_BYTES = 64_000;
/** Seconds: a full queue is emptied by a mail server that is slow, or that is back after a while. */
const RETRY_AFTER = 60;

interface NewJob {
  readonly queue: string;
  /** At most 64,000 bytes; sealed while it waits. */
  readonly content: string;
  /** The job is removed, and not started, after this time. */
  readonly expires: Date;
  /** The job is not started before this many milliseconds have passed. */
  readonly delay?: number;
}

/** The transaction that the job belongs to, or the database itself. */
export type JobTransaction = Queries & Partial<Pick<Tx, 'afterCommit'>>;

/**
 * Durable jobs, as rows: added in the transaction that causes them, run by any instance, at once on the one that added
 * them and again after a crash. Every job runs once, unless a process dies between its effect and its removal.
 */
@Injectable()
export class Queue implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly workers = new Map<string, JobWorker>();

  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly times: QueueTimes,
  ) {}

  /** Sets the handler of a queue; called while the application starts. */
  handle(handler: JobHandler): void {
    const { database, sealer, times } = this;
    this.workers.set(handler.queue, new JobWorker(handler, database, sealer, times));
  }

  /** @throws ServiceUnavailable where too many are waiting */
  async add(tx: JobTransaction, { queue, content, expires, delay = 0 }: NewJob): Promise<void> {
    if (Buffer.byteLength(content) > MAX_BYTES) throw new Error(`Too large for ${queue}`);
    const id = randomUUID();
    const sealed = this.sealer.seal(content, JOB_PURPOSE, id);
    const values = [id, queue, sealed, expires.toISOString(), MAX_JOBS, delay];
    const added = await tx.query(ADD, values);
    if (added.length === 0) {
      const reason = 'the job queue is full';
      throw new ServiceUnavailable({ service: queue, reason, retryAfter: RETRY_AFTER });
    }
    const wake = (): void => this.workers.get(queue)?.wake();
    if (tx.afterCommit) tx.afterCommit(wake);
    else wake();
  }

  async state(queue: string): Promise<QueueState> {
    const [state] = await this.database.query<QueueState>(STATE, [queue]);
    if (!state) throw new Error('The count returned no row');
    return state;
  }

  /** Of every queue that is handled here or has jobs. */
  async backlog(): Promise<readonly Backlog[]> {
    const found = await this.database.query<Backlog>(BACKLOG);
    const busy = new Set(found.map(({ queue }) => queue));
    const idle = [...this.workers.keys()].filter((queue) => !busy.has(queue));
    return [...found, ...idle.map((queue) => ({ queue, waiting: 0, failing: 0 }))];
  }

  onApplicationBootstrap(): void {
    for (const worker of this.workers.values()) worker.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.workers.values()].map((worker) => worker.stop()));
  }
}
