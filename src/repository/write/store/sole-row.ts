import type { ReturnedAnswer } from '../../read/returned-answer';
import type { Answers } from '../judge/stored-row';

/**
 * The only row that a request writes, as its last write: what the request reads of it can be returned by that
 * statement.
 */
export class SoleRow {
  /** The rules' answers about the row, where the storing statement returned them; `met` where it judged the row itself. */
  judged: Answers | 'met' | undefined;

  /**
   * @param answer the request's answer, where that depends on the row alone
   * @param mayStandAlone whether the request is done once the row is stored and the answer returned
   */
  constructor(
    readonly answer: ReturnedAnswer | undefined,
    readonly mayStandAlone: boolean,
  ) {}
}

/**
 * The row did not match the condition of a statement that was to do the whole request. Nothing was written: the request
 * runs again, statement by statement, which finds the reason.
 */
export class ConditionNotMet extends Error {
  constructor(options: ErrorOptions) {
    super('A row did not match the condition of its statement', options);
  }
}
