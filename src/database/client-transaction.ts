import { DatabaseError } from 'pg';
import type { CommitMark } from './broadcast/broadcast';
import type { ClientStatements } from './client-statements';
import { isConnectionLost, mayBeElsewhere } from './database-fault';
import { OpenTransaction } from './open-transaction';
import { LIFT_TIMEOUTS } from './lift-timeouts';

const BEGIN = ['BEGIN'];
const BEGIN_WITHOUT_TIMEOUTS = [...BEGIN, ...LIFT_TIMEOUTS];

interface HowToRun {
  readonly withoutTimeouts: boolean;
  readonly mark: CommitMark | undefined;
}

/**
 * A transaction on one connection. Where statements may be sent before earlier ones are answered, BEGIN is sent with
 * the first one, and statements that belong to the end with the COMMIT: each takes one round trip. A first statement
 * without values takes another one, since its text may contain several statements.
 */
export class ClientTransaction {
  readonly tx: OpenTransaction;

  constructor(
    private readonly statements: ClientStatements,
    private readonly how: HowToRun,
  ) {
    statements.begin(how.withoutTimeouts ? BEGIN_WITHOUT_TIMEOUTS : BEGIN);
    this.tx = new OpenTransaction(statements);
  }

  /**
   * A transaction in which a failure was ignored ends in a ROLLBACK that looks like success.
   * @returns whether its mark must be awaited
   */
  async commit(): Promise<boolean> {
    const { last, mayPublish } = this.tx;
    if (this.statements.isAtBeginning && last.length === 0) return false;
    const mark = mayPublish ? this.how.mark : undefined;
    const ending = [...last, ...(mark ? [mark.statement] : [])];
    const answers = await this.statements.end([...ending, { text: 'COMMIT' }]);
    if (answers.at(-1)?.command !== 'COMMIT')
      throw new Error('The transaction had failed and was rolled back');
    return mark !== undefined && answers.at(-2)?.rows.length === 1;
  }

  /** @returns the error that decides whether the connection is reused: the rollback's, if that fails too */
  async rollback(error: unknown): Promise<unknown> {
    if (isConnectionLost(error) || mayBeElsewhere(error)) return error;
    if (this.statements.isAtBeginning) return undefined;
    try {
      await this.statements.end([{ text: 'ROLLBACK' }]);
      return undefined;
    } catch (failure) {
      return failure instanceof DatabaseError ? new Error('rollback failed') : (failure ?? error);
    }
  }
}
