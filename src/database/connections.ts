import { Logger } from '@nestjs/common';
import { DatabaseError, type FieldDef, type Pool, type PoolClient } from 'pg';
import { Deadline } from '../common/deadline';
import { AppError, ServiceUnavailable } from '../common/errors';
import { FairLimiter } from '../common/fair-limiter';
import type { Metrics } from '../common/metrics/metrics';
import {
  endsSession,
  isPlanOutdated,
  isReadOnly,
  isServerFull,
  isSessionShared,
  noteRaised,
  reasonOf,
} from './database-fault';
import { BesideTransaction } from './embedded/one-connection';
import type { Prepared } from './sent-statements';
import { StatementNames } from './statement-names';

/** How many prepared statements, and bytes of them, a connection may hold before it is replaced. */
const MAX_PREPARED = 1_000;
const MAX_TEXT = 500_000;
/** How many columns of its prepared statements are remembered for a connection: each takes some 120 bytes. */
const MAX_COLUMNS = 2_000;
/** Milliseconds after which the pool may grow again once the server has had no connection left for it. */
const SMALLER_FOR = 5_000;

/**
 * The share of the connections for what may hold one for long, and of all of them for what one requester does: the
 * others are left to short statements, to the service itself and to other requesters.
 */
const HELD_SHARE = 0.9;
const REQUESTER_SHARE = 0.8;
const MAX_WAITING = 1_000;

/** The pool's records about a connection. */
interface Known {
  /** By name. */
  readonly prepared: Map<string, Prepared>;
  /** The bytes of the texts of all its prepared statements. */
  text: number;
  /** How many columns of them are remembered. */
  columns: number;
  /** How often the connection to the server had been lost when this one was opened. */
  readonly losses: number;
}

/**
 * Statements whose columns the server guarantees to stay the same while they are prepared; those of FETCH or EXECUTE
 * may change.
 */
const FIXED =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|VALUES|TABLE|BEGIN|COMMIT|ROLLBACK)\b/i;

class KeptStatement implements Prepared {
  fields: FieldDef[] | undefined;

  constructor(
    readonly name: string,
    private readonly known: Known,
    private readonly isFixed: boolean,
  ) {}

  keep(fields: FieldDef[]): void {
    const { known } = this;
    const columns = known.columns - (this.fields?.length ?? 0) + fields.length;
    if (!this.isFixed || columns > MAX_COLUMNS) return;
    known.columns = columns;
    this.fields = fields;
  }
}

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
  private readonly known = new WeakMap<PoolClient, Known>();
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
    pool.on('connect', (client) => this.know(client));
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
        if (this.stateOf(client).losses === this.losses) return client;
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
    const { prepared, text, losses } = this.stateOf(client);
    const full = prepared.size > MAX_PREPARED || text > MAX_TEXT;
    client.release(broken || full || losses !== this.losses);
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
    if (name === undefined) return undefined;
    const state = this.stateOf(client);
    const known = state.prepared.get(name);
    if (known) return known;
    const prepared = new KeptStatement(name, state, FIXED.test(text));
    state.prepared.set(name, prepared);
    state.text += text.length;
    return prepared;
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

  private stateOf(client: PoolClient): Known {
    return this.known.get(client) ?? this.know(client);
  }

  /** The pool only listens to errors of idle connections; a lent one that breaks must not end the process either. */
  private know(client: PoolClient): Known {
    const known = {
      prepared: new Map<string, Prepared>(),
      text: 0,
      columns: 0,
      losses: this.losses,
    };
    this.known.set(client, known);
    client.on('error', (error) => this.logger.warn(`A connection broke: ${error.message}`));
    return known;
  }
}

/** Whether the error leaves the connection unusable. One that only refuses a statement does not. */
export const breaksConnection = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? endsSession(error) || isReadOnly(error)
    : !(error instanceof AppError);
