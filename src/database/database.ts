import type { Pool, PoolClient } from 'pg';
import { ClientLeft } from '../common/errors';
import type { Metrics } from '../common/metrics/metrics';
import type { DisconnectSignal } from '../common/request/disconnect-signal';
import type { Broadcast } from './broadcast/broadcast';
import { Cancellations } from './cancel-statement';
import { Afterwards } from './afterwards';
import { ClientStatements } from './client-statements';
import { ClientTransaction } from './client-transaction';
import { Connections } from './connections';
import type { OneConnection } from './embedded/one-connection';
import type { OpenTransaction } from './open-transaction';
import type { Queries, SqlRow, Table, Tx, Weigh } from './queries';
import { isSessionShared, translateFault } from './database-fault';

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
  /** Where commits are published: each waits for its delivery. Without one, commits do not wait. */
  readonly broadcast?: Broadcast;
}

interface TransactionOptions {
  /** No time limits apply to it. */
  readonly unhurried?: boolean;
}

/** Plain SQL for the hot paths, directly on the pool that TypeORM uses too. Repeated statements are prepared. */
export class Database implements Queries {
  /** Work after commits, which delays no one. */
  readonly afterwards = new Afterwards();
  private readonly connections: Connections;
  private readonly cancellations = new Cancellations();
  private translate: ((error: unknown, text: string) => unknown) | undefined;

  constructor(
    pool: Pool,
    private readonly options: DatabaseOptions = {},
  ) {
    this.connections = new Connections(pool, options.names);
  }

  addMetrics(metrics: Metrics): void {
    this.connections.addMetrics(metrics);
  }

  /** @param signal cancels the statement, so only for one that reads */
  query<R extends object = SqlRow>(
    text: string,
    values?: readonly unknown[],
    signal?: DisconnectSignal,
  ): Promise<R[]> {
    return this.onClient((client) => client.query<R>(text, values), signal);
  }

  /** @param signal cancels the statement, so only for one that reads */
  table(
    text: string,
    values?: readonly unknown[],
    weigh?: Weigh,
    signal?: DisconnectSignal,
  ): Promise<Table> {
    return this.onClient((client) => client.table(text, values, weigh), signal);
  }

  /** Reads for a client that may disconnect before the answer. It must not be used to write. */
  readingUntil(signal: DisconnectSignal): Queries {
    return {
      query: (text, values) => this.query(text, values, signal),
      table: (text, values, weigh) => this.table(text, values, weigh, signal),
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
  async transaction<T>(
    work: (tx: Tx) => Promise<T>,
    { unhurried = false }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.connections.take();
    const { broadcast, pipelines = false, timeoutMs } = this.options;
    const mark = broadcast?.mark();
    const statements = this.on(client, unhurried ? undefined : timeoutMs);
    const transaction = new ClientTransaction(statements, { unhurried, pipelines, mark });
    const { tx } = transaction;
    let result: T;
    let published = false;
    try {
      await transaction.opened();
      result = await this.carryOut(tx, work);
      published = await transaction.commit();
    } catch (error) {
      if (isSessionShared(error)) this.connections.stopNaming();
      this.connections.giveBack(client, await transaction.rollback(error));
      throw translateFault(error);
    }
    this.connections.giveBack(client);
    if (published) await mark?.awaitDelivery();
    for (const next of tx.after) await next();
    return result;
  }

  private on(client: PoolClient, timeoutMs: number | undefined): ClientStatements {
    const { connections, translate } = this;
    return new ClientStatements(client, { connections, timeoutMs, translate });
  }

  /** Statements that arrive after the end are refused: they would run in no transaction, or in another's. */
  private async carryOut<T>(tx: OpenTransaction, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { oneConnection } = this.options;
    try {
      return await (oneConnection ? oneConnection.within(() => work(tx)) : work(tx));
    } finally {
      tx.end();
    }
  }

  private async onClient<T>(
    work: (client: ClientStatements) => Promise<T>,
    signal: DisconnectSignal | undefined,
  ): Promise<T> {
    try {
      return await this.attempt(work, signal);
    } catch (error) {
      if (signal?.aborted === true) throw new ClientLeft({}, { cause: error });
      if (!isSessionShared(error)) throw translateFault(error);
      // It failed before it had any effect.
      this.connections.stopNaming();
      return this.attempt(work, signal);
    }
  }

  private async attempt<T>(
    work: (client: ClientStatements) => Promise<T>,
    signal: DisconnectSignal | undefined,
  ): Promise<T> {
    refuseDisconnected(signal);
    const client = await this.connections.take();
    const reading = signal && this.options.cancels && this.cancellations.begin(client, signal);
    let failure: unknown;
    try {
      refuseDisconnected(signal);
      return await work(this.on(client, this.options.timeoutMs));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // Before the connection is lent again: a late cancellation would hit the next statement.
      const asked = reading && this.cancellations.end(reading);
      if (asked) failure = (await uncertainty(asked)) ?? failure;
      this.connections.giveBack(client, failure);
    }
  }
}

/** @throws ClientLeft */
function refuseDisconnected(signal: DisconnectSignal | undefined): void {
  if (signal?.aborted === true) throw new ClientLeft({});
}

/** Returns an error if the connection cannot be reused: a cancellation may still be on its way. */
async function uncertainty(asked: Promise<void>): Promise<unknown> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    return error;
  }
}
