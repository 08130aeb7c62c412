import type { Pool, PoolClient } from 'pg';
import { ClientLeft } from '../common/errors';
import type { Metrics } from '../common/metrics/metrics';
import type { Broadcast } from './broadcast/broadcast';
import { BackgroundWork } from './background-work';
import { ClientStatements } from './client-statements';
import { Connections } from './connections';
import type { OneConnection } from './embedded/one-connection';
import { retryDeadlock } from './retry-deadlock';
import type { Queries, SqlRow, Table, Tx, Weigh } from './queries';
import { translateFault } from './database-fault';
import type { DeclaredNames } from './declared-names';
import { type Reader, Reads } from './reads/reads';
import { type TransactionOptions, Transactions } from './transactions';

export type { Queries, SqlRow, Table, Tx, Weigh } from './queries';

interface DatabaseOptions {
  /** Milliseconds to wait for an answer: more than the server's own statement timeout. */
  readonly timeoutMs?: number;
  /** Whether the server can cancel a statement whose client has gone. */
  readonly cancels?: boolean;
  /** Where there is only one connection: a statement outside its own transaction is refused. */
  readonly oneConnection?: OneConnection;
  /** Whether statements may be sent before earlier ones are answered. */
  readonly pipelines?: boolean;
  /** Whether repeated statements are prepared under names: `true` by default. */
  readonly names?: boolean | undefined;
  /** Where one of these is missing, a statement that needs it is answered by the database's being unavailable. */
  readonly declared?: DeclaredNames;
  /** Where commits are published: each waits for its delivery. Without one, commits do not wait. */
  readonly broadcast?: Broadcast;
}

const failTranslated = (error: unknown): never => {
  throw translateFault(error);
};

/** The time that a read of more rows takes says nothing about the same statement with fewer. */
const MANY_ROWS = 1_000;
const MANY_ROWS_SUFFIX = ' of many';

/** Plain SQL for the hot paths, directly on the pool that TypeORM uses too. Repeated statements are prepared. */
export class Database implements Queries {
  /** Work after commits, which delays no one. */
  readonly backgroundWork = new BackgroundWork();
  private readonly connections: Connections;
  private readonly reads: Reads;
  private readonly transactions: Transactions;
  private translate: ((error: unknown, text: string) => unknown) | undefined;

  constructor(
    pool: Pool,
    private readonly options: DatabaseOptions = {},
  ) {
    const { names, pipelines: together = false, cancels = false, timeoutMs } = options;
    const connections = new Connections(pool, names);
    this.connections = connections;
    const on = (client: PoolClient): ClientStatements => this.on(client, timeoutMs);
    this.reads = new Reads({
      connections,
      together,
      cancels,
      statementsOn: on,
      pool: pool.options,
    });
    this.transactions = new Transactions({
      connections,
      broadcast: options.broadcast,
      oneConnection: options.oneConnection,
      on,
      withoutTimeout: (client) => this.on(client, undefined),
    });
  }

  addMetrics(metrics: Metrics): void {
    this.connections.addMetrics(metrics);
    this.reads.addMetrics(metrics);
  }

  /** @param reader cancels the statement, and lets it be sent twice, so only for one that reads */
  query<R extends object = SqlRow>(
    text: string,
    values?: readonly unknown[],
    reader?: Reader,
  ): Promise<R[]> {
    if (reader) return this.reads.run(text, reader, (client) => client.query<R>(text, values));
    return this.onClient((client) => client.query<R>(text, values));
  }

  /** @param reader cancels the statement, and lets it be sent twice, so only for one that reads */
  table(
    text: string,
    values?: readonly unknown[],
    weigh?: Weigh,
    maxRows = 0,
    reader?: Reader,
  ): Promise<Table> {
    if (!reader) return this.onClient((client) => client.table(text, values, weigh));
    const kind = maxRows > MANY_ROWS ? `${text}${MANY_ROWS_SUFFIX}` : text;
    return this.reads.run(kind, reader, (client, isWanted) =>
      client.table(text, values, weigh && weighWhile(isWanted, weigh)),
    );
  }

  /** Reads for a client that may disconnect before the answer. It must not be used to write. */
  readingFor(reader: Reader): Queries {
    return {
      query: (text, values) => this.query(text, values, reader),
      table: (text, values, weigh, maxRows) => this.table(text, values, weigh, maxRows, reader),
    };
  }

  /** @param translate converts the error of a failed statement */
  translateBy(translate: (error: unknown, text: string) => unknown): void {
    this.translate = translate;
  }

  /** Reuses none of the connections that are open now: the server may have disappeared without notice. */
  distrustConnections(): void {
    this.connections.distrust();
  }

  /**
   * Commits what `work` did, or rolls it back if `work` throws. Changed rights are in force when this ends, whichever
   * SQL changed them. Inside, use `tx` alone: on the embedded database there is one connection, and a statement outside
   * the transaction is refused.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { result, after } = await this.transactions.commit(work, options).catch(failTranslated);
    for (const next of after) await next();
    return result;
  }

  /**
   * The same, run again where the database ended it because of a deadlock with other requests: `work` has no effects
   * that a rollback does not undo. What follows the commit does not run again.
   */
  retriedTransaction<T>(work: (tx: Tx) => Promise<T>, requester?: string): Promise<T> {
    return this.transaction(work, { retried: true, requester });
  }

  private on(client: PoolClient, timeoutMs: number | undefined): ClientStatements {
    const { connections, translate } = this;
    const { pipelines, declared } = this.options;
    return new ClientStatements(client, { connections, pipelines, timeoutMs, declared, translate });
  }

  /** A statement outside a transaction is one by itself: what failed of it is rolled back. */
  private onClient<T>(work: (client: ClientStatements) => Promise<T>): Promise<T> {
    const attempt = async (): Promise<T> => {
      try {
        return await this.attempt(work);
      } catch (error) {
        this.connections.adaptTo(error);
        throw error;
      }
    };
    return retryDeadlock(attempt).catch(failTranslated);
  }

  private async attempt<T>(work: (client: ClientStatements) => Promise<T>): Promise<T> {
    const client = await this.connections.take();
    let failure: unknown;
    try {
      return await work(this.on(client, this.options.timeoutMs));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.connections.giveBack(client, failure);
    }
  }
}

/** Rows that were read again elsewhere are not weighed a second time, nor read any further. */
const weighWhile =
  (isWanted: () => boolean, weigh: Weigh): Weigh =>
  (characters) => {
    if (!isWanted()) throw new ClientLeft({});
    weigh(characters);
  };
