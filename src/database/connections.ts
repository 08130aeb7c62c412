import { Logger } from '@nestjs/common';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { AppError, ServiceUnavailable } from '../common/errors';
import type { Metrics } from '../common/metrics/metrics';
import { reasonOf } from './database-fault';
import { BesideTransaction } from './embedded/one-connection';
import { StatementNames } from './statement-names';

/** How many statements, and bytes of them, a connection may hold prepared before a fresh one takes its place. */
const MAX_PREPARED = 1_000;
const MAX_TEXT = 500_000;

/** What is known of a connection. */
interface Known {
  readonly prepared: Set<string>;
  /** Of all its prepared statements, in bytes. */
  text: number;
  /** How often the server had been lost when it was opened. */
  readonly losses: number;
}

const CONNECTIONS = {
  kind: 'gauge',
  name: 'doorward_database_connections',
  help: 'Connections of the pool: idle, busy, and how many requests wait for one',
  labels: ['state'],
} as const;

/** Lends the connections of the pool, and judges which of them are used again. */
export class Connections {
  private readonly logger = new Logger('Database');
  private readonly names: StatementNames;
  private readonly known = new WeakMap<PoolClient, Known>();
  private losses = 0;

  /** @param names whether statements are prepared under names */
  constructor(
    private readonly pool: Pool,
    names = true,
  ) {
    this.names = new StatementNames(names);
    pool.on('connect', (client) => this.know(client));
  }

  /** Adds what the pool and the names of statements hold. */
  addMetrics(metrics: Metrics): void {
    metrics.addCache('statement_names', ...this.names.sized);
    metrics.add(CONNECTIONS, (report) => {
      const { totalCount, idleCount, waitingCount } = this.pool;
      report(idleCount, { state: 'idle' });
      report(totalCount - idleCount, { state: 'busy' });
      report(waitingCount, { state: 'waited_for' });
    });
  }

  /** @throws ServiceUnavailable, or BesideTransaction where that would never be given back */
  async take(): Promise<PoolClient> {
    try {
      for (;;) {
        const client = await this.pool.connect();
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

  /** A connection that broke, or that holds too many prepared statements, is not used again. */
  giveBack(client: PoolClient, error?: unknown): void {
    const refused = error instanceof DatabaseError || error instanceof AppError;
    const broken = error !== undefined && !refused;
    const { prepared, text, losses } = this.stateOf(client);
    const full = prepared.size > MAX_PREPARED || text > MAX_TEXT;
    client.release(broken || full || losses !== this.losses);
  }

  /** The server may be another one by now: what is open and idle would wait for one that is gone. */
  distrust(): void {
    this.losses += 1;
  }

  /** The name under which the connection holds the statement prepared; none for one that does not come again. */
  nameFor(client: PoolClient, text: string, parameters: number): string | undefined {
    const name = this.names.nameFor(text, parameters);
    if (name === undefined) return undefined;
    const state = this.stateOf(client);
    if (state.prepared.has(name)) return name;
    state.prepared.add(name);
    state.text += text.length;
    return name;
  }

  /** Nothing is prepared any more. */
  stopNaming(): void {
    if (!this.names.stop()) return;
    this.logger.warn(
      'Statements are no longer prepared: a pooler between here and the database shares sessions',
    );
  }

  private stateOf(client: PoolClient): Known {
    return this.known.get(client) ?? this.know(client);
  }

  /** The pool listens to idle connections only; one that breaks in our hands must not end the process. */
  private know(client: PoolClient): Known {
    const known = { prepared: new Set<string>(), text: 0, losses: this.losses };
    this.known.set(client, known);
    client.on('error', (error) => this.logger.warn(`A connection broke: ${error.message}`));
    return known;
  }
}
