import type { PoolClient, QueryResult } from 'pg';
import type { Connections } from './connections';
import { noteLacking, noteRaised } from './database-fault';
import { type DeclaredNames, lacksDeclared } from './declared-names';
import type { Queries, SqlRow, Table, Weigh } from './queries';
import { type Sending, SentStatements } from './sent-statements';
import { weighingParsers } from './type-parsers';

interface StatementSetting {
  readonly connections: Connections;
  /** Whether statements may be sent before earlier ones are answered. */
  readonly pipelines?: boolean;
  /** Milliseconds to wait for an answer. */
  readonly timeoutMs: number | undefined;
  /** What the database must have. */
  readonly declared: DeclaredNames | undefined;
  /** Converts the error of a failed statement. */
  readonly translate: ((error: unknown, text: string) => unknown) | undefined;
}

type Run = (statement: Sending) => Promise<QueryResult>;

/** Statements on one connection. */
export class ClientStatements implements Queries {
  /** Commands that are sent before the next statement. */
  private before: readonly string[] = [];
  private begun: Promise<unknown> | undefined;
  private failedToBegin: { readonly error: unknown } | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly setting: StatementSetting,
  ) {}

  query<R extends object = SqlRow>(text: string, values?: readonly unknown[]): Promise<R[]> {
    return askRows((statement) => this.run(statement), text, values);
  }

  table(text: string, values?: readonly unknown[], weigh?: Weigh): Promise<Table> {
    return askTable((statement) => this.run(statement), text, values, weigh);
  }

  /** For a statement that is a transaction of its own where it is the first one: no BEGIN goes before it. */
  get alone(): Queries {
    const run: Run = (statement) =>
      this.beginsPlainly ? this.runAlone(statement) : this.run(statement);
    return {
      query: (text, values) => askRows(run, text, values),
      table: (text, values, weigh) => askTable(run, text, values, weigh),
    };
  }

  /** @param commands sent before the next statement; if one of them fails, nothing else is run */
  begin(commands: readonly string[]): void {
    this.before = commands;
  }

  /** Whether nothing has been sent since `begin`. */
  get isAtBeginning(): boolean {
    return this.before.length > 0;
  }

  /** Whether nothing but BEGIN goes before the next statement. */
  private get beginsPlainly(): boolean {
    return this.before.length === 1;
  }

  /**
   * Sends statements at once where that is possible. Where one fails, those after it are not run.
   * @returns their results; an empty statement has none
   */
  async together(statements: readonly Sending[]): Promise<readonly QueryResult[]> {
    if (this.failedToBegin) throw this.failedToBegin.error;
    const { before, setting } = this;
    this.before = [];
    const all = [...before.map((text) => ({ text })), ...statements];
    const results: QueryResult[] = [];
    try {
      if (setting.pipelines === true) await this.send(all, results);
      else for (const statement of all) await this.send([statement], results);
    } catch (error) {
      if (results.length < before.length) this.failedToBegin = { error };
      throw error;
    }
    return results;
  }

  /** The same, after everything that was asked for before. */
  async end(statements: readonly Sending[]): Promise<readonly QueryResult[]> {
    // Statements that wait for the beginning have waited longer, and so are sent first.
    if (this.begun) await this.begun;
    return this.together(statements);
  }

  private async run(statement: Sending): Promise<QueryResult> {
    if (this.isAtBeginning) return this.runFirst(statement);
    // Commands before the first statement have not been answered yet: perhaps there is no transaction.
    if (this.begun) await this.begun;
    if (this.failedToBegin) throw this.failedToBegin.error;
    return this.runAlone(statement);
  }

  private async runFirst(statement: Sending): Promise<QueryResult> {
    // The server takes several statements in one text only if nothing else is sent with it.
    const mayBeSeveral = statement.values?.length === 0;
    const begun = this.together(mayBeSeveral ? [] : [statement]);
    this.begun = begun.catch(() => undefined);
    const results = await begun;
    return mayBeSeveral ? this.runAlone(statement) : lastOf(results);
  }

  private async runAlone(statement: Sending): Promise<QueryResult> {
    const results: QueryResult[] = [];
    await this.send([statement], results);
    return lastOf(results);
  }

  /** @param results is filled with those of the statements that succeed */
  private send(statements: readonly Sending[], results: QueryResult[]): Promise<void> {
    const { timeoutMs, declared, translate } = this.setting;
    return new Promise((resolve, reject) => {
      const sent = new SentStatements(statements.map(this.prepared), timeoutMs, (error) => {
        results.push(...sent.results);
        if (error === null) return resolve();
        if (!sent.isRefusal(error)) noteRaised(error);
        if (declared && lacksDeclared(error, sent.text, declared)) noteLacking(error);
        reject((translate?.(error, sent.text) ?? error) as Error);
      });
      void this.client.query(sent);
    });
  }

  private readonly prepared = (statement: Sending): Sending => {
    const { text, values = [] } = statement;
    const { connections } = this.setting;
    // The driver would write half of a message, and the rest of it before the next one of any connection.
    if (typeof text !== 'string') throw new TypeError('The text of a statement must be a string');
    return { ...statement, prepared: connections.preparedOn(this.client, text, values.length) };
  };
}

const askRows = async <R extends object>(
  run: Run,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> => (await run({ text, values })).rows as R[];

async function askTable(
  run: Run,
  text: string,
  values: readonly unknown[] = [],
  weigh?: Weigh,
): Promise<Table> {
  const types = weigh && weighingParsers(weigh);
  const { fields, rows } = await run({ text, values, asLists: true, types });
  return { names: fields.map((field) => field.name), rows: rows as unknown[][] };
}

/** An empty statement has none. */
const lastOf = (results: readonly QueryResult[]): QueryResult =>
  results.at(-1) ?? { command: '', rowCount: null, oid: 0, fields: [], rows: [] };
