import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg';
import { ClientLeft } from '../common/errors';
import type { Left } from '../common/request/client-left';
import type { Broadcast, CommitMark } from './broadcast/broadcast';
import { Cancellations } from './cancel-statement';
import { Afterwards } from './afterwards';
import { Connections } from './connections';
import type { OneConnection } from './embedded/one-connection';
import { OpenTransaction } from './open-transaction';
import type { Queries, SqlRow, Table, Tx, Weigh } from './queries';
import { type Sending, SentStatement } from './sent-statement';
import { weighingParsers } from './type-parsers';
import { isConnectionLost, isSessionShared, translateFault } from './database-fault';

export type { Queries, SqlRow, Table, Tx, Weigh } from './queries';

export interface DatabaseOptions {
  /** Milliseconds after which an answer is not waited for any longer: more than the server gives a statement. */
  readonly patience?: number;
  /** Whether the server ends a statement that nobody waits for. */
  readonly cancels?: boolean;
  /** Where there is but one connection: a statement beside its own transaction is refused. */
  readonly oneConnection?: OneConnection;
  /** Where commits are published: each waits for its delivery. Without one, a commit waits for nothing. */
  readonly broadcast?: Broadcast;
}

export interface TransactionOptions {
  /** It may take, and wait for others, as long as it has to. */
  readonly unhurried?: boolean;
}

/** How a statement is run: how long its answer is waited for, and by whom. */
interface Run {
  readonly patience?: number | undefined;
  readonly left?: Left | undefined;
}

const BEGIN_UNHURRIED = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

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
    this.connections = new Connections(pool);
  }

  /** @param left ends the statement; so only one that reads */
  query<R extends object = SqlRow>(
    text: string,
    values?: readonly unknown[],
    left?: Left,
  ): Promise<R[]> {
    return this.onClient((client) => this.rows<R>(client, this.options, text, values), left);
  }

  /** @param left ends the statement; so only one that reads */
  table(text: string, values?: readonly unknown[], weigh?: Weigh, left?: Left): Promise<Table> {
    return this.onClient((client) => this.cells(client, this.options, text, values, weigh), left);
  }

  /** Reads for somebody who may leave before they are answered. Nothing may be written with it. */
  readingUntil(left: Left): Queries {
    return {
      query: (text, values) => this.query(text, values, left),
      table: (text, values, weigh) => this.table(text, values, weigh, left),
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
    const run: Run = unhurried ? {} : this.options;
    const mark = this.options.broadcast?.mark();
    const tx = this.open(client, run);
    let result: T;
    let published = false;
    try {
      await send(client, { text: unhurried ? BEGIN_UNHURRIED : 'BEGIN', patience: run.patience });
      result = await this.carryOut(tx, work);
      published = await commit(client, run, mark);
    } catch (error) {
      if (isSessionShared(error)) this.connections.stopNaming();
      this.connections.giveBack(client, await rollback(client, run, error));
      throw translateFault(error);
    }
    this.connections.giveBack(client);
    if (published) await mark?.awaitDelivery();
    for (const next of tx.after) await next();
    return result;
  }

  private open(client: PoolClient, run: Run): OpenTransaction {
    return new OpenTransaction({
      query: (text, values) => this.rows(client, run, text, values),
      table: (text, values, weigh) => this.cells(client, run, text, values, weigh),
    });
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
    work: (client: PoolClient) => Promise<T>,
    left: Left | undefined,
  ): Promise<T> {
    try {
      return await this.attempt(work, left);
    } catch (error) {
      if (left?.aborted === true) throw new ClientLeft({}, { cause: error });
      if (!isSessionShared(error)) throw translateFault(error);
      // It failed before it did anything.
      this.connections.stopNaming();
      return this.attempt(work, left);
    }
  }

  private async attempt<T>(
    work: (client: PoolClient) => Promise<T>,
    left: Left | undefined,
  ): Promise<T> {
    refuseLeft(left);
    const client = await this.connections.take();
    const reading = left && this.options.cancels && this.cancellations.begin(client, left);
    let failure: unknown;
    try {
      refuseLeft(left);
      return await work(client);
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

  private async rows<R extends object>(
    client: PoolClient,
    { patience }: Run,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const name = this.connections.nameFor(client, text, values.length);
    const result = await this.send<R>(client, { name, text, values, patience });
    return result.rows;
  }

  private async cells(
    client: PoolClient,
    { patience }: Run,
    text: string,
    values: readonly unknown[] = [],
    weigh?: Weigh,
  ): Promise<Table> {
    const name = this.connections.nameFor(client, text, values.length);
    const { fields, rows } = await this.send<unknown[]>(client, {
      name,
      text,
      values,
      patience,
      asLists: true,
      types: weigh && weighingParsers(weigh),
    });
    return { names: fields.map((field) => field.name), rows };
  }

  private async send<R extends object>(
    client: PoolClient,
    sending: Sending,
  ): Promise<QueryResult<R>> {
    try {
      return await send<R>(client, sending);
    } catch (error) {
      throw this.translate?.(error, sending.text) ?? error;
    }
  }
}

/** @throws ClientLeft */
function refuseLeft(left: Left | undefined): void {
  if (left?.aborted === true) throw new ClientLeft({});
}

const send = <R extends object>(client: PoolClient, sending: Sending): Promise<QueryResult<R>> =>
  client.query<R>(new SentStatement(sending));

/**
 * A transaction that failed inside and was carried on regardless ends in a ROLLBACK that looks like success.
 * @returns whether its mark is due
 */
async function commit(
  client: PoolClient,
  run: Run,
  mark: CommitMark | undefined,
): Promise<boolean> {
  const text = mark ? `${mark.statement}; COMMIT` : 'COMMIT';
  const results = [await send(client, { text, patience: run.patience })].flat();
  if (results.at(-1)?.command !== 'COMMIT')
    throw new Error('The transaction had failed and was rolled back');
  return results.length > 1 && results[0]?.rowCount === 1;
}

/** The error after which the connection is judged: that of the rollback, if it fails too. */
async function rollback(client: PoolClient, run: Run, error: unknown): Promise<unknown> {
  if (isConnectionLost(error)) return error;
  try {
    await send(client, { text: 'ROLLBACK', patience: run.patience });
    return undefined;
  } catch (failure) {
    return failure instanceof DatabaseError ? new Error('rollback failed') : (failure ?? error);
  }
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
