import { type Connection, Query, type QueryResult } from 'pg';
import { type Sending, SentStatement } from './sent-statement';

/** What the driver calls on a query; its types leave it out. */
interface DriverQuery {
  name: string | undefined;
  text: string;
  callback: Answer;
  readonly _result: QueryResult & { _types: unknown };
  prepare(connection: DriverConnection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
  handleEmptyQuery(connection: DriverConnection): void;
  handleError(error: unknown, connection: DriverConnection): void;
  handleReadyForQuery(connection: DriverConnection): void;
}

interface DriverConnection extends Omit<Connection, 'execute'> {
  readonly submittedNamedStatements: Record<string, string>;
  execute(portal: { readonly portal: string }): void;
}

type Answer = (error: unknown) => void;

const DriverQuery = Query as unknown as new (
  statement: SentStatement | string,
  answer: Answer,
) => DriverQuery;

/** One statement of a group: it is not followed by a Sync. */
class Part extends DriverQuery {
  failure: unknown = null;

  constructor(statement: Sending) {
    super(new SentStatement(statement), (error) => (this.failure = error));
  }

  /** Called by the driver, once the values are sent. */
  _getRows(connection: DriverConnection): void {
    connection.execute({ portal: '' });
  }
}

/**
 * Statements that are sent with one Sync: the server answers all of them at once, which is cheaper for both sides than
 * answers one by one. When one fails, the server skips those after it.
 */
export class StatementGroup extends DriverQuery {
  private readonly parts: readonly Part[];
  private at = 0;

  /**
   * @param statements at least one
   * @param query_timeout read by the driver: milliseconds to wait for the answer
   * @param answer called when the server is ready for the next statement, or as soon as one of these has failed
   */
  constructor(
    statements: readonly Sending[],
    readonly query_timeout: number | undefined,
    answer: (error: unknown) => void,
  ) {
    super('', answer);
    this.parts = statements.map((statement) => new Part(statement));
    this.show();
  }

  /** Called by the driver. */
  submit(connection: DriverConnection): null {
    connection.stream.cork();
    try {
      this.send(connection);
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  override handleRowDescription(message: unknown): void {
    this.parts[this.at]?.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.parts[this.at]?.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: DriverConnection): void {
    this.parts[this.at]?.handleCommandComplete(message, connection);
    this.next();
  }

  override handleEmptyQuery(): void {
    this.next();
  }

  override handleError(error: unknown, connection: DriverConnection): void {
    // The server has not prepared what it skips.
    for (const { name } of this.parts.slice(this.at)) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    super.handleError(error, connection);
  }

  override handleReadyForQuery(connection: DriverConnection): void {
    for (const part of this.parts) part.handleReadyForQuery(connection);
    this.callback(this.failed?.failure ?? null);
  }

  /** Of the statements that are complete. */
  get results(): QueryResult[] {
    return this.parts.slice(0, this.at).map(({ _result }) => _result);
  }

  private get failed(): Part | undefined {
    return this.parts.find(({ failure }) => failure !== null);
  }

  private send(connection: DriverConnection): void {
    for (const part of this.parts) {
      part._result._types ??= this._result._types;
      part.prepare(connection);
      // The driver could not write one of its values, and has sent a Sync.
      if (this.failed) return;
    }
    connection.sync();
  }

  private next(): void {
    this.at += 1;
    this.show();
  }

  /** The driver notes what has been prepared by what it finds here. */
  private show(): void {
    const part = this.parts[this.at];
    if (part) [this.name, this.text] = [part.name, part.text];
  }
}
