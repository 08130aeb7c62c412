import type { ReturnedAnswer } from '../read/returned-answer';
import type { Answers } from './stored-row';

/** The one row that a request writes, after which it writes nothing: what is read of it then may come with it. */
export class SoleRow {
  /** What the rules ask about the row, where the statement that stored it told. */
  judged: Answers | undefined;

  /** @param answer what the request is answered, where that is made of the row alone */
  constructor(readonly answer: ReturnedAnswer | undefined) {}
}
