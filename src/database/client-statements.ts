import type { Writable } from 'node:stream';
import type { PoolClient, QueryResult } from 'pg';
import type { Connections } from './connections';
import type { Queries, SqlRow, Table, Weigh } from './queries';
import { type Sending, SentStatement } from './sent-statement';
import { weighingParsers } from './type-parsers';

interface StatementSetting {
  readonly connections: Connections;
  /** Milliseconds to wait for an answer. */
  readonly timeoutMs: number | undefined;
  /** Converts the error of a failed statement. */
  readonly translate: ((error: unknown, text: string) => unknown) | undefined;
}

/** Statements on one connection. */
export class ClientStatements implements Queries {
  constructor(
    private readonly client: PoolClient,
    private readonly setting: StatementSetting,
  ) {}

  async query<R extends object = SqlRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const name = this.setting.connections.nameFor(this.client, text, values.length);
    return (await this.translated<R>({ name, text, values })).rows;
  }

  async table(text: string, values: readonly unknown[] = [], weigh?: Weigh): Promise<Table> {
    const name = this.setting.connections.nameFor(this.client, text, values.length);
    const types = weigh && weighingParsers(weigh);
    const sending = { name, text, values, asLists: true, types };
    const { fields, rows } = await this.translated<unknown[]>(sending);
    return { names: fields.map((field) => field.name), rows };
  }

  /**
   * Holds back what is sent in this turn of the event loop and sends it at once: each write costs a system call and
   * wakes the server.
   */
  gather(): void {
    const stream = this.client.connection.stream as Writable;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  /** Statements without values, never prepared. @returns the result of each */
  async command(text: string): Promise<readonly QueryResult[]> {
    return [await this.send({ text })].flat();
  }

  private async translated<R extends object>(sending: Sending): Promise<QueryResult<R>> {
    try {
      return await this.send<R>(sending);
    } catch (error) {
      throw this.setting.translate?.(error, sending.text) ?? error;
    }
  }

  private send<R extends object>(sending: Sending): Promise<QueryResult<R>> {
    const { timeoutMs } = this.setting;
    return this.client.query<R>(new SentStatement({ ...sending, timeoutMs }));
  }
}
