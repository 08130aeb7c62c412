import type { PoolClient, PoolOptions } from 'pg';
import { ClientLeft } from '../../common/errors';
import type { Metrics } from '../../common/metrics/metrics';
import { FairLimiter } from '../../common/fair-limiter';
import type { DisconnectSignal } from '../../common/request/disconnect-signal';
import type { ClientStatements } from '../client-statements';
import type { Connections } from '../connections';
import { isConnectionLost, isSessionShared, mayRepeat, translateFault } from '../database-fault';
import type { BatchSetting, FailureContext, Read } from './read';
import { CHECK_INTERVAL_MS, MAX_WAIT, ReadBatch } from './read-batch';
import { StatementTimes } from './statement-times';

/** How often a read is sent: together with others, then alone, then without a name. */
const MAX_ATTEMPTS = 3;
/** The share of the connections for reads that take long or were never seen before, and of these for one requester. */
const LONG_SHARE = 0.7;
const REQUESTER_SHARE = 0.7;
const MAX_WAITING = 1_000;

interface ReadsSetting {
  readonly connections: Connections;
  /** Whether the server answers several statements in a row. */
  readonly together: boolean;
  readonly cancels: boolean;
  readonly statementsOn: (client: PoolClient) => ClientStatements;
  /** How many connections there are, and how long to wait for one, in ms. */
  readonly pool: Pick<PoolOptions, 'max' | 'connectionTimeoutMillis'>;
}

/** Who waits for what is read. */
export interface Reader {
  readonly left: DisconnectSignal;
  /** Reads of one requester that take long leave connections to those of others. */
  readonly requester: string;
}

/**
 * Reads for clients that may disconnect before the answer. Short ones that arrive in one turn of the event loop share a
 * connection: sending and answering them together costs both processes about half as much. A read that usually takes
 * long, or was never seen before, has a connection to itself; such reads never occupy all connections, nor those of one
 * requester all that such reads may occupy. A read that turns out to be waiting behind a long one is sent again on a
 * connection of its own.
 */
export class Reads {
  private readonly times = new StatementTimes();
  private readonly batches: BatchSetting;
  private readonly running = new Set<ReadBatch>();
  private readonly turns: FairLimiter;
  private open: ReadBatch | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly setting: ReadsSetting) {
    const { connections, cancels, statementsOn, pool } = setting;
    const concurrency = Math.max(1, Math.floor(pool.max * LONG_SHARE));
    this.turns = new FairLimiter({
      concurrency,
      perRequester: Math.ceil(concurrency * REQUESTER_SHARE),
      maxQueued: MAX_WAITING,
      maxWait: pool.connectionTimeoutMillis,
    });
    this.batches = {
      connections,
      cancels,
      statementsOn,
      times: this.times,
      onFailure: (read, error, context) => this.fail(read, error, context),
      onHeldUp: (read) => this.sendAlone(read),
    };
  }

  addMetrics(metrics: Metrics): void {
    metrics.addCache('statement_times', this.times.sized);
  }

  /**
   * @param kind what reads that usually take equally long have in common, such as the text
   * @throws ClientLeft, ServiceUnavailable, what `send` throws
   */
  run<T>(
    kind: string,
    { left: signal, requester }: Reader,
    send: (client: ClientStatements, isWanted: () => boolean) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(new ClientLeft({}));
    return new Promise((resolve, reject) => {
      const settle = { resolve: resolve as Read['resolve'], reject };
      this.add({ kind, signal, send, attempts: 0, ...settle }, requester);
    });
  }

  private add(read: Read, requester: string): void {
    const usual = this.setting.together ? this.times.usualOf(read.kind) : undefined;
    if (usual === undefined || usual > MAX_WAIT) return this.sendInTurn(read, requester);
    if (this.open?.accepts(usual) !== true) {
      this.open = new ReadBatch(this.batches);
      this.open.add(read, usual);
      void this.start(this.open, 'open');
    } else this.open.add(read, usual);
  }

  private sendInTurn(read: Read, requester: string): void {
    this.turns
      .run(() => this.setting.connections.inTurn(requester, () => this.runAlone(read)), requester)
      .catch((error: unknown) => read.reject(error));
  }

  private sendAlone(read: Read): void {
    void this.runAlone(read);
  }

  private runAlone(read: Read): Promise<void> {
    const batch = new ReadBatch(this.batches);
    batch.add(read, MAX_WAIT);
    return this.start(batch, 'closed');
  }

  private start(batch: ReadBatch, admission: 'open' | 'closed'): Promise<void> {
    this.running.add(batch);
    this.timer ??= this.checkLater();
    return batch.run(admission).finally(() => this.running.delete(batch));
  }

  /** Only after the answers that have arrived are read: the process may have been busy for longer than the database. */
  private checkLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.check()), CHECK_INTERVAL_MS).unref();
  }

  private check(): void {
    for (const batch of this.running) batch.check();
    this.timer = this.running.size > 0 ? this.checkLater() : undefined;
  }

  /** Sends the read again where that may succeed: it had no effect. */
  private fail(read: Read, error: unknown, { alone, lost }: FailureContext): void {
    // A read behind a statement that could not be prepared looks like one on a shared session.
    if (alone || !isSessionShared(error)) this.setting.connections.adaptTo(error);
    const again = mayRepeat(error) || (lost && isConnectionLost(error));
    if (read.signal.aborted) read.reject(new ClientLeft({}, { cause: error }));
    else if (again && read.attempts < MAX_ATTEMPTS) this.sendAlone(read);
    else read.reject(translateFault(error));
  }
}
