import type { PoolClient } from 'pg';
import { ClientLeft } from '../../common/errors';
import type { Metrics } from '../../common/metrics/metrics';
import type { DisconnectSignal } from '../../common/request/disconnect-signal';
import type { ClientStatements } from '../client-statements';
import type { Connections } from '../connections';
import { isConnectionLost, isSessionShared, mayRepeat, translateFault } from '../database-fault';
import {
  type BatchSetting,
  type FailedIn,
  LOOK,
  MAX_WAIT,
  type Read,
  ReadBatch,
} from './read-batch';
import { StatementTimes } from './statement-times';

/** How often a read is sent: together with others, then alone, then without a name. */
const MAX_ATTEMPTS = 3;

interface ReadsSetting {
  readonly connections: Connections;
  /** Whether the server answers several statements in a row. */
  readonly together: boolean;
  readonly cancels: boolean;
  readonly on: (client: PoolClient) => ClientStatements;
}

/**
 * Reads for clients that may disconnect before the answer. Short ones that arrive in one turn of the event loop share a
 * connection: sending and answering them together costs both processes about half as much. A read that usually takes
 * long, or was never seen before, has a connection to itself. A read that turns out to be waiting behind a long one is
 * sent again on a connection of its own.
 */
export class Reads {
  private readonly times = new StatementTimes();
  private readonly batches: BatchSetting;
  private readonly running = new Set<ReadBatch>();
  private open: ReadBatch | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly setting: ReadsSetting) {
    const { connections, cancels, on } = setting;
    this.batches = {
      ...{ connections, cancels, on, times: this.times },
      onFailure: (read, error, how) => this.fail(read, error, how),
      onHeldUp: (read) => this.sendAlone(read),
    };
  }

  addMetrics(metrics: Metrics): void {
    metrics.addCache('statement_times', this.times.sized);
  }

  /** @throws ClientLeft, ServiceUnavailable, what `send` throws */
  run<T>(
    text: string,
    signal: DisconnectSignal,
    send: (client: ClientStatements, isWanted: () => boolean) => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(new ClientLeft({}));
    return new Promise((resolve, reject) => {
      this.add({ text, signal, send, attempts: 0, resolve: resolve as Read['resolve'], reject });
    });
  }

  private add(read: Read): void {
    const usual = this.setting.together ? this.times.usualOf(read.text) : undefined;
    if (usual === undefined || usual > MAX_WAIT) return this.sendAlone(read);
    if (this.open?.accepts(usual) !== true) {
      this.open = new ReadBatch(this.batches);
      this.open.add(read, usual);
      this.start(this.open, true);
    } else this.open.add(read, usual);
  }

  private sendAlone(read: Read): void {
    const batch = new ReadBatch(this.batches);
    batch.add(read, MAX_WAIT);
    this.start(batch, false);
  }

  private start(batch: ReadBatch, open: boolean): void {
    this.running.add(batch);
    this.timer ??= this.lookLater();
    void batch.run(open).finally(() => this.running.delete(batch));
  }

  /** Only after the answers that have arrived are read: the process may have been busy for longer than the database. */
  private lookLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.look()), LOOK).unref();
  }

  private look(): void {
    for (const batch of this.running) batch.look();
    this.timer = this.running.size > 0 ? this.lookLater() : undefined;
  }

  /** Sends the read again where that may succeed: it had no effect. */
  private fail(read: Read, error: unknown, { alone, lost }: FailedIn): void {
    // A read behind a statement that could not be prepared looks like one on a shared session.
    if (alone || !isSessionShared(error)) this.setting.connections.adaptTo(error);
    const again = mayRepeat(error) || (lost && isConnectionLost(error));
    if (read.signal.aborted) read.reject(new ClientLeft({}, { cause: error }));
    else if (again && read.attempts < MAX_ATTEMPTS) this.sendAlone(read);
    else read.reject(translateFault(error));
  }
}
