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
  /** Milliseconds after which an answer is not waited for any longer: more than the server gives a statement. */
  readonly timeoutMs?: number;
  /** Whether the server ends a statement that nobody waits for. */
  readonly cancels?: boolean;
  /** Where there is but one connection: a statement beside its own transaction is refused. */
  readonly oneConnection?: OneConnection;
  /** Whether statements may be sent before those ahead of them are answered. */
  readonly pipelines?: boolean;
  /** Whether statements that come again are prepared under names: `true` by default. */
  readonly names?: boolean | undefined;
  /** Where commits are published: each waits for its delivery. Without one, a commit waits for nothing. */
  readonly broadcast?: Broadcast;
}

interface TransactionOptions {
  /** It may take, and wait for others, as long as it has to. */
  readonly unhurried?: boolean;
}

/**
 * Plain SQL for the hot paths, straight on the pool that TypeORM uses too. Statements that come again are prepared.
 */
export class Database implements Queries {
  /** What is done once something is committed, and holds nobody up. */
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

  /** @param signal ends the statement; so only one that reads */
  query<R extends object = SqlRow>(
    text: string,
    values?: readonly unknown[],
    signal?: DisconnectSignal,
  ): Promise<R[]> {
    return this.onClient((client) => client.query<R>(text, values), signal);
  }

  /** @param signal ends the statement; so only one that reads */
  table(
    text: string,
    values?: readonly unknown[],
    weigh?: Weigh,
    signal?: DisconnectSignal,
  ): Promise<Table> {
    return this.onClient((client) => client.table(text, values, weigh), signal);
  }

  /** Reads for somebody who may leave before they are answered. Nothing may be written with it. */
  readingUntil(signal: DisconnectSignal): Queries {
    return {
      query: (text, values) => this.query(text, values, signal),
      table: (text, values, weigh) => this.table(text, values, weigh, signal),
    };
  }

  /** @param translate gives what is thrown in the place of what a statement failed with */
  translateBy(translate: (error: unknown, text: string) => unknown): void {
    this.translate = translate;
  }

  /** Uses no connection again that is open now: the server may be gone, and nobody told. */
  distrustConnections(): void {
    this.connections.distrust();
  }

  /**
   * Commits what `work` did, or undoes it if `work` throws. What it changed of anybody's rights is in force when this
   * ends, whoever's SQL it was. Inside, use `tx` alone: on the embedded database there is one connection, and a
   * statement beside the transaction is refused.
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

  /** Whatever is still to come of it by then is refused: it would go into no transaction, or into another's. */
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
      // It failed before it did anything.
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
      // Before others get the connection: whatever comes late would end what they do on it.
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

/** What speaks against using the connection again: a request to cancel may still be on its way. */
async function uncertainty(asked: Promise<void>): Promise<unknown> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    return error;
  }
}
