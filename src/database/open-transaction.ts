import type { Queries, Table, Tx, Weigh } from './queries';

interface TransactionStatements extends Queries {
  /** For a statement that is a transaction of its own where it is the first one. */
  readonly alone: Queries;
}

/** An open transaction. Afterwards its connection belongs to others, so nothing is sent on it. */
export class OpenTransaction implements Tx {
  readonly after: (() => void | Promise<void>)[] = [];
  readonly last: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  /** Whether one of its statements may have published something, by a trigger for example. */
  mayPublish = false;
  private ended = false;

  constructor(private readonly statements: TransactionStatements) {}

  readonly query = <R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> => {
    this.mayPublish = true;
    return this.ended ? refuse() : this.statements.query<R>(text, values);
  };

  readonly table = (text: string, values?: readonly unknown[], weigh?: Weigh): Promise<Table> => {
    this.mayPublish = true;
    return this.ended ? refuse() : this.statements.table(text, values, weigh);
  };

  /** @param queries chosen among those of the transaction's statements */
  readonly untilEnd = (queries: (of: TransactionStatements) => Queries): Queries => ({
    query: (text, values) => (this.ended ? refuse() : queries(this.statements).query(text, values)),
    table: (text, values, weigh) =>
      this.ended ? refuse() : queries(this.statements).table(text, values, weigh),
  });

  readonly afterCommit = (work: () => void | Promise<void>): void => {
    if (this.ended) throw new TransactionEnded();
    this.after.push(work);
  };

  readonly withCommit = (text: string, values: readonly unknown[]): void => {
    if (this.ended) throw new TransactionEnded();
    this.mayPublish = true;
    this.last.push({ text, values });
  };

  end(): void {
    this.ended = true;
  }
}

/** For statements that write only tables without triggers: they cannot have published anything. */
export const quietly = (tx: Tx): Queries =>
  tx instanceof OpenTransaction ? tx.untilEnd((statements) => statements) : tx;

/**
 * The same for a statement that writes and judges everything. If it is the first one, it is a transaction of its own,
 * in one round trip; whatever follows it is another transaction.
 */
export const alone = (tx: Tx): Queries =>
  tx instanceof OpenTransaction ? tx.untilEnd((statements) => statements.alone) : tx;

/** Code kept an object of a transaction, and used it after the transaction had ended. */
export class TransactionEnded extends Error {
  override readonly name = 'TransactionEnded';

  constructor() {
    super(
      'The transaction has ended: what it gave to a hook or to your code (`tx`, `read`, `write`, `system`) can no longer be used. Await everything that is done with these, and begin another transaction for later work.',
    );
  }
}

const refuse = (): Promise<never> => Promise.reject(new TransactionEnded());
