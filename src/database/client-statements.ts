import type { PoolClient, QueryResult } from 'pg';
import type { Connections } from './connections';
import type { Queries, SqlRow, Table, Weigh } from './queries';
import { type Sending, SentStatement } from './sent-statement';
import { StatementGroup } from './statement-group';
import { weighingParsers } from './type-parsers';

interface StatementSetting {
  readonly connections: Connections;
  /** Whether statements may be sent before earlier ones are answered. */
  readonly pipelines?: boolean;
  /** Milliseconds to wait for an answer. */
  readonly timeoutMs: number | undefined;
  /** Converts the error of a failed statement. */
  readonly translate: ((error: unknown, text: string) => unknown) | undefined;
}

/** Statements on one connection. */
export class ClientStatements implements Queries {
  /** What goes before the next statement. */
  private before: readonly string[] = [];
  private begun: Promise<unknown> | undefined;
  private failedToBegin: { readonly error: unknown } | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly setting: StatementSetting,
  ) {}

  async query<R extends object = SqlRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return (await this.run({ text, values })).rows as R[];
  }

  async table(text: string, values: readonly unknown[] = [], weigh?: Weigh): Promise<Table> {
    const types = weigh && weighingParsers(weigh);
    const { fields, rows } = await this.run({ text, values, asLists: true, types });
    return { names: fields.map((field) => field.name), rows: rows as unknown[][] };
  }

  /** @param commands sent with the next statement, which may be the only one that is answered */
  begin(commands: readonly string[]): void {
    this.before = commands;
  }

  /** Whether nothing has been sent since `begin`. */
  get isAtBeginning(): boolean {
    return this.before.length > 0;
  }

  /** Sends statements at once where that is possible. Where one fails, those after it are not run. */
  async together(statements: readonly Sending[]): Promise<readonly QueryResult[]> {
    if (this.failedToBegin) throw this.failedToBegin.error;
    const { before, setting } = this;
    this.before = [];
    const all = [...before.map((text) => ({ text })), ...statements];
    const together = all.length > 1 && setting.pipelines === true;
    const results: QueryResult[] = [];
    try {
      await (together ? this.group(all, results) : this.inTurn(all, results));
    } catch (error) {
      if (results.length < before.length) this.failedToBegin = { error };
      throw error;
    }
    return results;
  }

  /** What comes before the first statement is answered waits: perhaps there is no transaction. */
  private async run(statement: Sending): Promise<QueryResult> {
    if (this.isAtBeginning) {
      const begun = this.together([statement]);
      this.begun = begun.catch(() => undefined);
      return (await begun).at(-1) as QueryResult;
    }
    if (this.begun) await this.begun;
    if (this.failedToBegin) throw this.failedToBegin.error;
    return this.send(statement);
  }

  private async send(statement: Sending): Promise<QueryResult> {
    const { timeoutMs, translate } = this.setting;
    try {
      return await this.client.query(new SentStatement({ ...this.named(statement), timeoutMs }));
    } catch (error) {
      throw translate?.(error, statement.text) ?? error;
    }
  }

  private async inTurn(statements: readonly Sending[], results: QueryResult[]): Promise<void> {
    for (const statement of statements) results.push(await this.send(statement));
  }

  private group(statements: readonly Sending[], results: QueryResult[]): Promise<void> {
    const { timeoutMs, translate } = this.setting;
    return new Promise((resolve, reject) => {
      const named = statements.map((statement) => this.named(statement));
      const group = new StatementGroup(named, timeoutMs, (error) => {
        results.push(...group.results);
        if (error === null) resolve();
        else reject((translate?.(error, group.text) ?? error) as Error);
      });
      this.client.query(group);
    });
  }

  private named(statement: Sending): Sending {
    const { text, values = [] } = statement;
    const name = this.setting.connections.nameFor(this.client, text, values.length);
    return { ...statement, name };
  }
}
