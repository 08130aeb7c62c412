import { Logger } from '@nestjs/common';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { ServiceUnavailable } from '../common/errors';
import { StatementNames } from './statement-names';

/** A row as the driver gives it: times, bigint and numeric are text (see type-parsers). */
export type Row = Record<string, unknown>;

/** Rows as lists of cells, in the order of the names: for many rows cheaper than objects. */
export interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs one parametrised statement (`$1` …) and gives its rows. */
export interface Queries {
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  table(text: string, values?: readonly unknown[]): Promise<Table>;
}

/** An open transaction. */
export interface Tx extends Queries {
  /** A statement without parameters that goes to the server together with the COMMIT, and fails with it. */
  atCommit(statement: string): void;
  /** Runs once the transaction is committed, in the order given; not at all if it is rolled back. */
  afterCommit(work: () => void | Promise<void>): void;
}

/** How many statements a connection may hold prepared before a fresh one takes its place. */
const MOST_PREPARED = 1_000;
/** The server is going down, starting up or full; class 08 is a lost connection. */
const UNAVAILABLE = /^(57P0[123]|53300|08...)$/;

/**
 * Plain SQL for the hot paths, straight on the pool that TypeORM uses too. Statements that come again are prepared.
 */
export class Database implements Queries {
  private readonly logger = new Logger(Database.name);
  private readonly names = new StatementNames();
  private readonly prepared = new WeakMap<PoolClient, Set<string>>();

  constructor(private readonly pool: Pool) {}

  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return this.onClient((client) => this.rows<R>(client, text, values));
  }

  table(text: string, values?: readonly unknown[]): Promise<Table> {
    return this.onClient((client) => this.cells(client, text, values));
  }

  /**
   * Commits what `work` did, or undoes it if `work` throws. Inside, use `tx` alone: on the embedded database there is
   * one connection, and a statement beside the transaction would wait for its end.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.connect();
    const last: string[] = [];
    const after: (() => void | Promise<void>)[] = [];
    let result: T;
    try {
      await client.query('BEGIN');
      result = await work({
        query: (text, values) => this.rows(client, text, values),
        table: (text, values) => this.cells(client, text, values),
        atCommit: (statement) => void last.push(statement),
        afterCommit: (next) => void after.push(next),
      });
      await commit(client, last);
    } catch (error) {
      this.release(client, await rollback(client, error));
      throw translate(error);
    }
    this.release(client);
    for (const next of after) await next();
    return result;
  }

  private async onClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      const result = await work(client);
      this.release(client);
      return result;
    } catch (error) {
      this.release(client, error);
      throw translate(error);
    }
  }

  private async connect(): Promise<PoolClient> {
    try {
      return this.known(await this.pool.connect());
    } catch (error) {
      this.logger.error('No database connection', error);
      throw new ServiceUnavailable({ service: 'database' }, { cause: error });
    }
  }

  private async rows<R extends object>(
    client: PoolClient,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const name = this.nameFor(client, text);
    const result = await client.query<R>({ name, text, values: values as unknown[] });
    return result.rows;
  }

  private async cells(
    client: PoolClient,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Table> {
    const name = this.nameFor(client, text);
    const { fields, rows } = await client.query<unknown[]>({
      ...{ name, text, values: values as unknown[] },
      rowMode: 'array',
    });
    return { names: fields.map((field) => field.name), rows };
  }

  /** The name under which the connection holds the statement prepared; none for one that does not come again. */
  private nameFor(client: PoolClient, text: string): string | undefined {
    const name = this.names.nameFor(text);
    if (name !== undefined) this.prepared.get(client)?.add(name);
    return name;
  }

  /** The pool listens to idle connections only; one that breaks in our hands must not end the process. */
  private known(client: PoolClient): PoolClient {
    if (this.prepared.has(client)) return client;
    this.prepared.set(client, new Set());
    client.on('error', (error) => this.logger.warn(`A connection broke: ${error.message}`));
    return client;
  }

  /** A connection that broke, or that holds too many prepared statements, is not used again. */
  private release(client: PoolClient, error?: unknown): void {
    const broken = error !== undefined && !(error instanceof DatabaseError);
    client.release(broken || (this.prepared.get(client)?.size ?? 0) > MOST_PREPARED);
  }
}

/** A transaction that failed inside and was carried on regardless ends in a ROLLBACK that looks like success. */
async function commit(client: PoolClient, last: readonly string[]): Promise<void> {
  const results = [await client.query([...last, 'COMMIT'].join('; '))].flat();
  if (results.at(-1)?.command !== 'COMMIT')
    throw new Error('The transaction had failed and was rolled back');
}

/** The error after which the connection is judged: that of the rollback, if it fails too. */
async function rollback(client: PoolClient, error: unknown): Promise<unknown> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (failure) {
    return failure instanceof DatabaseError ? new Error('rollback failed') : (failure ?? error);
  }
}

function translate(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  const lost =
    error instanceof Error && /^Connection terminated|Client has encountered/.test(error.message);
  if (!lost && !(typeof code === 'string' && UNAVAILABLE.test(code))) return error;
  return new ServiceUnavailable({ service: 'database' }, { cause: error });
}
