import { DatabaseError, type Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { ClientLeft } from '../common/errors';
import type { Broadcast, CommitMark } from './broadcast/broadcast';
import { Cancellation } from './cancel-statement';
import { Connections } from './connections';
import { weighingParsers } from './type-parsers';
import { isConnectionLost, isSessionShared, translateFault } from './database-fault';

/** A row as the driver gives it: times, bigint and numeric are text (see type-parsers). */
export type SqlRow = Record<string, unknown>;

/** Rows as lists of cells, in the order of the names: for many rows cheaper than objects. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs one parametrised statement (`$1` …) and gives its rows. */
export interface Queries {
  query<R extends object = SqlRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** @param weigh is given the length of each value that may be long, and refuses the rest by throwing */
  table(text: string, values?: readonly unknown[], weigh?: Weigh): Promise<Table>;
}

export type Weigh = (characters: number) => void;

/** An open transaction. */
export interface Tx extends Queries {
  /** Runs once the transaction is committed, in the order given; not at all if it is rolled back. */
  afterCommit(work: () => void | Promise<void>): void;
}

export interface DatabaseOptions {
  /** Milliseconds after which an answer is not waited for any longer: more than the server gives a statement. */
  readonly patience?: number;
  /** Whether the server ends a statement that nobody waits for. */
  readonly cancels?: boolean;
  /** What a commit waits for to have heard it; without one, a commit waits for nobody. */
  readonly broadcast?: Broadcast;
}

export interface TransactionOptions {
  /** It may take, and wait for others, as long as it has to. */
  readonly unhurried?: boolean;
}

/** How a statement is run: how long its answer is waited for, and by whom. */
interface Run {
  readonly patience?: number | undefined;
  readonly left?: AbortSignal | undefined;
}

const BEGIN_UNHURRIED = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

/**
 * Plain SQL for the hot paths, straight on the pool that TypeORM uses too. Statements that come again are prepared.
 */
export class Database implements Queries {
  private readonly connections: Connections;

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
    left?: AbortSignal,
  ): Promise<R[]> {
    return this.onClient((client) => this.rows<R>(client, this.options, text, values), left);
  }

  /** @param left ends the statement; so only one that reads */
  table(
    text: string,
    values?: readonly unknown[],
    weigh?: Weigh,
    left?: AbortSignal,
  ): Promise<Table> {
    return this.onClient((client) => this.cells(client, this.options, text, values, weigh), left);
  }

  /** Reads for somebody who may leave before they are answered. Nothing may be written with it. */
  readingUntil(left: AbortSignal): Queries {
    return {
      query: (text, values) => this.query(text, values, left),
      table: (text, values, weigh) => this.table(text, values, weigh, left),
    };
  }

  /** Uses no connection again that is open now: the server may be gone, and nobody told. */
  distrustConnections(): void {
    this.connections.distrust();
  }

  /**
   * Commits what `work` did, or undoes it if `work` throws. What it changed of anybody's rights is in force when this
   * ends, whoever's SQL it was. Inside, use `tx` alone: on the embedded database there is one connection, and a
   * statement beside the transaction would wait for its end.
   */
  async transaction<T>(
    work: (tx: Tx) => Promise<T>,
    { unhurried = false }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.connections.take();
    const run: Run = unhurried ? {} : this.options;
    const mark = this.options.broadcast?.mark();
    const after: (() => void | Promise<void>)[] = [];
    let result: T;
    let told = false;
    try {
      await send(client, run, { text: unhurried ? BEGIN_UNHURRIED : 'BEGIN' });
      result = await work({
        query: (text, values) => this.rows(client, run, text, values),
        table: (text, values, weigh) => this.cells(client, run, text, values, weigh),
        afterCommit: (next) => void after.push(next),
      });
      told = await commit(client, run, mark);
    } catch (error) {
      if (isSessionShared(error)) this.connections.stopNaming();
      this.connections.giveBack(client, await rollback(client, run, error));
      throw translateFault(error);
    }
    this.connections.giveBack(client);
    if (told) await mark?.comesBack();
    for (const next of after) await next();
    return result;
  }

  private async onClient<T>(
    work: (client: PoolClient) => Promise<T>,
    left: AbortSignal | undefined,
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
    left: AbortSignal | undefined,
  ): Promise<T> {
    if (left?.aborted === true) throw new ClientLeft({});
    const client = await this.connections.take();
    if (left === undefined || this.options.cancels !== true) return this.lend(client, work);
    if (!left.aborted) return this.lend(client, work, new Cancellation(client, left));
    this.connections.giveBack(client);
    throw new ClientLeft({});
  }

  private async lend<T>(
    client: PoolClient,
    work: (client: PoolClient) => Promise<T>,
    cancellation?: Cancellation,
  ): Promise<T> {
    let failure: unknown;
    try {
      return await work(client);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // Before others get the connection: whatever comes late would end what they do on it.
      if (cancellation) failure = (await uncertainty(cancellation)) ?? failure;
      this.connections.giveBack(client, failure);
    }
  }

  private async rows<R extends object>(
    client: PoolClient,
    run: Run,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const name = this.connections.nameFor(client, text, values.length);
    const result = await send<R>(client, run, { name, text, values: values as unknown[] });
    return result.rows;
  }

  private async cells(
    client: PoolClient,
    run: Run,
    text: string,
    values: readonly unknown[] = [],
    weigh?: Weigh,
  ): Promise<Table> {
    const name = this.connections.nameFor(client, text, values.length);
    const { fields, rows } = await send<unknown[]>(client, run, {
      ...{ name, text, values: values as unknown[] },
      rowMode: 'array',
      ...(weigh && { types: weighingParsers(weigh) }),
    });
    return { names: fields.map((field) => field.name), rows };
  }
}

function send<R extends object>(
  client: PoolClient,
  { patience }: Run,
  config: QueryConfig & { rowMode?: 'array' },
): Promise<QueryResult<R>> {
  return client.query<R>(patience === undefined ? config : withPatience(config, patience));
}

/** Known to the driver, not to its types. */
const withPatience = (config: QueryConfig, patience: number): QueryConfig =>
  Object.assign(config, { query_timeout: patience });

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
  const results = [await send(client, run, { text })].flat();
  if (results.at(-1)?.command !== 'COMMIT')
    throw new Error('The transaction had failed and was rolled back');
  return results.length > 1 && results[0]?.rowCount === 1;
}

/** The error after which the connection is judged: that of the rollback, if it fails too. */
async function rollback(client: PoolClient, run: Run, error: unknown): Promise<unknown> {
  if (isConnectionLost(error)) return error;
  try {
    await send(client, run, { text: 'ROLLBACK' });
    return undefined;
  } catch (failure) {
    return failure instanceof DatabaseError ? new Error('rollback failed') : (failure ?? error);
  }
}

/** What speaks against using the connection again: a request to cancel may still be on its way. */
async function uncertainty(cancellation: Cancellation): Promise<unknown> {
  try {
    await cancellation.over();
    return undefined;
  } catch (error) {
    return error;
  }
}
