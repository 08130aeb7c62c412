import type { FieldDef, QueryResult } from 'pg';
import { type DriverConnection, type DriverResult, Query, Result, utils } from './driver-internals';
import { typeParsers } from './type-parsers';

/** A statement that a connection has prepared. */
export interface Prepared {
  readonly name: string;
  /** The columns that it returns, if they are remembered: they stay the same as long as it is prepared. */
  readonly fields: FieldDef[] | undefined;
  /** Called when the server has described the columns. */
  keep(fields: FieldDef[]): void;
}

/** One statement, and how to read its answer. */
export interface Sending {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly prepared?: Prepared | undefined;
  readonly asLists?: boolean;
  readonly types?: typeof typeParsers | undefined;
}

const PORTAL = {};

/** A statement, and the state of its answer. */
class Sent {
  readonly result: DriverResult;
  complete = false;

  constructor(readonly statement: Sending) {
    const { asLists, types = typeParsers } = statement;
    this.result = new Result(asLists === true ? 'array' : undefined, types);
  }

  get name(): string | undefined {
    return this.statement.prepared?.name;
  }

  /** Whether it can be sent as a simple query, which prepares nothing. */
  get isSimple(): boolean {
    const { prepared, values = [] } = this.statement;
    return prepared === undefined && values.length === 0;
  }

  /**
   * Sends all messages of the statement except the Sync.
   * @throws where the driver cannot serialize one of the values
   */
  send(connection: DriverConnection): void {
    const { name } = this;
    const { text, values, prepared } = this.statement;
    const known = name !== undefined && isKnown(connection, name);
    if (!known) {
      connection.parse({ text, name });
      if (name !== undefined) connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values, valueMapper: utils.prepareValue });
    if (prepared?.fields === undefined) connection.describe({ type: 'P' });
    else if (prepared.fields.length > 0) this.result.addFields(prepared.fields);
    connection.execute(PORTAL);
  }

  describe(fields: FieldDef[]): void {
    this.statement.prepared?.keep(fields);
    this.result.addFields(fields);
  }

  end(message: object): void {
    const { prepared } = this.statement;
    if (prepared?.fields === undefined && this.result.fields.length === 0) prepared?.keep([]);
    this.result.addCommandComplete(message);
    this.complete = true;
  }
}

const isKnown = (connection: DriverConnection, name: string): boolean =>
  connection.parsedStatements[name] !== undefined ||
  connection.submittedNamedStatements[name] !== undefined;

/**
 * Statements that are sent with one Sync: the server answers all of them together, which is cheaper for both sides than
 * separate answers. After a statement that fails, it skips the others. The driver calls the same methods as on its own
 * queries.
 */
export class SentStatements extends Query {
  private readonly all: readonly Sent[];
  private at = 0;
  /** Why the rest is not sent, or no more rows are read. */
  private refusal: { readonly error: unknown } | undefined;

  /**
   * @param statements at least one
   * @param query_timeout read by the driver: milliseconds to wait for the answer
   * @param answer called when the server is ready for the next statement, or as soon as one of these has failed
   */
  constructor(
    readonly statements: readonly Sending[],
    readonly query_timeout: number | undefined,
    answer: (error: unknown) => void,
  ) {
    super('', answer);
    this.all = statements.map((statement) => new Sent(statement));
    this.show();
  }

  /** The results of the complete statements. */
  get results(): readonly QueryResult[] {
    return this.all.filter(({ complete }) => complete).map(({ result }) => result);
  }

  /** Whether a value that could not be written or read has failed, and not the connection. */
  isRefusal(error: unknown): boolean {
    return this.refusal !== undefined && this.refusal.error === error;
  }

  submit(connection: DriverConnection): null {
    const [first] = this.all;
    if (this.all.length === 1 && first?.isSimple === true) {
      connection.query(first.statement.text);
      return null;
    }
    connection.stream.cork();
    try {
      for (const each of this.all) each.send(connection);
    } catch (error) {
      this.refusal = { error };
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: FieldDef[] }): void {
    this.current?.describe(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    if (this.refusal) return;
    const result = this.current?.result;
    try {
      if (result) result.rows.push(result.parseRow(fields));
    } catch (error) {
      this.refusal = { error };
    }
  }

  handleCommandComplete(message: object): void {
    this.current?.end(message);
    this.next();
  }

  handleEmptyQuery(): void {
    this.next();
  }

  handleError(error: unknown, { submittedNamedStatements }: DriverConnection): void {
    // The server has not prepared the statements that it skips.
    for (const { name } of this.all.slice(this.at)) {
      if (name !== undefined) delete submittedNamedStatements[name];
    }
    this.callback(this.refusal?.error ?? error);
  }

  handleReadyForQuery(): void {
    this.callback(this.refusal?.error ?? null);
  }

  private get current(): Sent | undefined {
    return this.all[this.at];
  }

  private next(): void {
    this.at += 1;
    this.show();
  }

  /** When the server has prepared a statement, the driver records it under the name and text of this object. */
  private show(): void {
    const { current } = this;
    if (current) [this.name, this.text] = [current.name, current.statement.text];
  }
}
