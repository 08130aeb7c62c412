import type { ReturnedAnswer } from '../read/returned-answer';
import type { Answers } from './stored-row';

/**
 * The only row that a request writes, as its last write: what the request reads of it can be returned by that
 * statement.
 */
export class SoleRow {
  /** The rules' answers about the row, where the storing statement returned them. */
  judged: Answers | undefined;

  /** @param answer the request's answer, where that depends on the row alone */
  constructor(readonly answer: ReturnedAnswer | undefined) {}
}
