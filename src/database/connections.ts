import { Logger } from '@nestjs/common';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { Deadline } from '../common/deadline';
import { AppError, ServiceUnavailable } from '../common/errors';
import { FairLimiter } from '../common/fair-limiter';
import type { Metrics } from '../common/metrics/metrics';
import {
  endsSession,
  isPlanOutdated,
  isServerFull,
  isSessionShared,
  mayBeElsewhere,
  noteRaised,
  reasonOf,
} from './database-fault';
import { ConnectionRecord } from './connection-record';
import { BesideTransaction } from './embedded/one-connection';
import type { Prepared } from './sent-statements';
import { StatementNames } from './statement-names';

/** Milliseconds after which the pool may grow again once the server has had no connection left for it. */
const SMALLER_FOR = 5_000;

/**
 * The share of the connections for what may hold one for long, and of all of them for what one requester does: the
 * others are left to short statements, to the service itself and to other requesters.
 */
const HELD_SHARE = 0.9;
const REQUESTER_SHARE = 0.8;
const MAX_WAITING = 1_000;

const CONNECTIONS = {
  kind: 'gauge',
  name: 'doorward_database_connections',
  help: 'Connections of the pool: idle, busy, and how many requests wait for one',
  labels: ['state'],
} as const;

/** Lends the pool's connections, and decides which of them are reused. */
export class Connections {
  private readonly logger = new Logger('Database');
  private readonly names: StatementNames;
  private readonly turns: FairLimiter;
  private readonly records = new WeakMap<PoolClient, ConnectionRecord>();
  private losses = 0;
  /** Runs while the pool is smaller than it may be. */
  private smaller: NodeJS.Timeout | undefined;

  /** @param names whether statements are prepared under names */
  constructor(
    private readonly pool: Pool,
    names = true,
  ) {
    this.names = new StatementNames(names);
    const { max, connectionTimeoutMillis } = pool.options;
    const partOf = (share: number): number => Math.max(1, Math.floor(max * share));
    this.turns = new FairLimiter({
      concurrency: partOf(HELD_SHARE),
      perRequester: partOf(REQUESTER_SHARE),
      maxQueued: MAX_WAITING,
      maxWait: connectionTimeoutMillis,
    });
    pool.on('connect', (client) => this.record(client));
  }

  /** Adds metrics of the pool and of prepared statements. */
  addMetrics(metrics: Metrics): void {
    metrics.addCache('statement_names', ...this.names.sized);
    metrics.add(CONNECTIONS, (report) => {
      const { totalCount, idleCount, waitingCount } = this.pool;
      report(idleCount, { state: 'idle' });
      report(totalCount - idleCount, { state: 'busy' });
      report(waitingCount + this.turns.queued, { state: 'waited_for' });
    });
  }

  /**
   * Does what may hold a connection for long once it is the requester's turn.
   * @throws ServiceUnavailable where that takes too long; what `work` throws
   */
  inTurn<T>(requester: string, work: () => Promise<T>): Promise<T> {
    return this.turns.run(work, requester);
  }

  /** @throws ServiceUnavailable, or BesideTransaction where it would wait for itself */
  async take(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = await this.connect();
        if (this.recordOf(client).losses === this.losses) return client;
        client.release(true);
      }
    } catch (error) {
      if (error instanceof BesideTransaction) throw error;
      this.logger.error('No database connection', error);
      const reason = reasonOf(error);
      throw new ServiceUnavailable(
        { service: 'database', ...(reason !== undefined && { reason }) },
        { cause: error },
      );
    }
  }

  /** Where the server has no connection left, a request waits for one of those that are open. */
  private async connect(): Promise<PoolClient> {
    const end = new Deadline(this.pool.options.connectionTimeoutMillis ?? 0);
    for (;;) {
      try {
        return await this.pool.connect();
      } catch (error) {
        noteRaised(error);
        if (!isServerFull(error) || this.pool.totalCount === 0 || end.left <= 0) throw error;
        this.shrink();
      }
    }
  }

  /** Each attempt would cost the server a process. */
  private shrink(): void {
    const { options, totalCount } = this.pool;
    if (this.smaller === undefined) {
      const { max } = options;
      this.logger.warn('The server has no connection left: requests wait for those that are open');
      this.smaller = setTimeout(() => {
        options.max = max;
        this.smaller = undefined;
      }, SMALLER_FOR).unref();
    }
    options.max = Math.min(options.max, totalCount);
  }

  /** A broken connection, or one with too many prepared statements, is not reused. */
  giveBack(client: PoolClient, error?: unknown): void {
    const broken = error !== undefined && breaksConnection(error);
    const { isFull, losses } = this.recordOf(client);
    client.release(broken || isFull || losses !== this.losses);
  }

  /**
   * Replaces every connection that is open now: after the server was lost without notice, they would wait for it for
   * ever.
   */
  distrust(): void {
    this.losses += 1;
  }

  /** The statement as the connection prepares it; undefined for a one-off statement. */
  preparedOn(client: PoolClient, text: string, parameters: number): Prepared | undefined {
    const name = this.names.nameFor(text, parameters);
    return name === undefined ? undefined : this.recordOf(client).prepared(name, text);
  }

  /** After an error for which `mayRepeat` is true, makes the changes with which the repetition can succeed. */
  adaptTo(error: unknown): void {
    if (isSessionShared(error)) this.stopNaming();
    if (isPlanOutdated(error)) this.distrust();
  }

  /** From now on no statement is prepared under a name. */
  stopNaming(): void {
    if (!this.names.stop()) return;
    this.logger.warn(
      'Statements are no longer prepared: a pooler between here and the database shares sessions',
    );
  }

  private recordOf(client: PoolClient): ConnectionRecord {
    return this.records.get(client) ?? this.record(client);
  }

  /** The pool only listens to errors of idle connections; a lent one that breaks must not end the process either. */
  private record(client: PoolClient): ConnectionRecord {
    const record = new ConnectionRecord(this.losses);
    this.records.set(client, record);
    client.on('error', (error) => this.logger.warn(`A connection broke: ${error.message}`));
    return record;
  }
}

/** Whether the error leaves the connection unusable. One that only refuses a statement does not. */
export const breaksConnection = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? endsSession(error) || mayBeElsewhere(error)
    : !(error instanceof AppError);
