import { DatabaseError } from 'pg';
import type { CommitMark } from './broadcast/broadcast';
import type { ClientStatements } from './client-statements';
import { isConnectionLost } from './database-fault';
import { OpenTransaction } from './open-transaction';

const BEGIN_UNHURRIED = 'BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0';

interface HowToRun {
  readonly unhurried: boolean;
  /** Whether statements may be sent before earlier ones are answered. */
  readonly pipelines: boolean;
  readonly mark: CommitMark | undefined;
}

/**
 * A transaction on one connection. With pipelining, its first statement is sent right after BEGIN and its last together
 * with COMMIT: each pair is one round trip, and one packet where both are ready at once.
 */
export class ClientTransaction {
  readonly tx: OpenTransaction;
  private readonly begun: Promise<unknown>;

  constructor(
    private readonly statements: ClientStatements,
    private readonly how: HowToRun,
  ) {
    if (how.pipelines) statements.gather();
    const begun = statements.command(how.unhurried ? BEGIN_UNHURRIED : 'BEGIN');
    // The error reaches those who await it later.
    begun.catch(() => undefined);
    const afterBegin = async <A>(answer: Promise<A>): Promise<A> =>
      (await Promise.all([answer, begun]))[0];
    this.begun = begun;
    this.tx = new OpenTransaction({
      query: (text, values) => afterBegin(statements.query(text, values)),
      table: (text, values, weigh) => afterBegin(statements.table(text, values, weigh)),
    });
  }

  /** Ends when statements may be sent in it. */
  async opened(): Promise<void> {
    if (!this.how.pipelines) await this.begun;
  }

  /**
   * A transaction in which a failure was ignored ends in a ROLLBACK that looks like success.
   * @returns whether its mark must be awaited
   */
  async commit(): Promise<boolean> {
    const { mark, pipelines } = this.how;
    const last = [...this.tx.last, ...(mark ? [mark.statement] : [])];
    const sent: Promise<unknown>[] = [this.begun];
    let marked: readonly unknown[] = [];
    if (pipelines) this.statements.gather();
    for (const { text, values } of last) {
      const answer = this.statements.query(text, values).then((rows) => (marked = rows));
      sent.push(answer);
      if (!pipelines) await answer;
    }
    const committed = this.statements.command('COMMIT');
    // The earlier failure explains why the COMMIT did nothing.
    const answers = await Promise.allSettled([...sent, committed]);
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    if ((await committed).at(-1)?.command !== 'COMMIT')
      throw new Error('The transaction had failed and was rolled back');
    return mark !== undefined && marked.length === 1;
  }

  /** @returns the error that decides whether the connection is reused: the rollback's, if that fails too */
  async rollback(error: unknown): Promise<unknown> {
    if (isConnectionLost(error)) return error;
    try {
      await this.statements.command('ROLLBACK');
      return undefined;
    } catch (failure) {
      return failure instanceof DatabaseError ? new Error('rollback failed') : (failure ?? error);
    }
  }
}
