import { AnswerBudget } from '../repository';
import { InvalidQuery } from '../common/errors';
import type { AppConfig } from '../config/app-config';
import { countValues } from './count-values';
import { GRAPHQL_LIMITS } from './limits';

/** The lists of one request together may read no more than one REST request. */
export class RequestBudget {
  /** What is read for them. */
  readonly reading = new AnswerBudget();
  private rows: number;
  private values: number = GRAPHQL_LIMITS.answer;

  constructor(private readonly config: AppConfig) {
    this.rows = config.queryLimitMax;
  }

  /** Refuses a list where those of the request might become too long. @param limit as requested */
  takeRows(limit: unknown): void {
    const { queryLimitDefault, queryLimitMax } = this.config;
    const asked = typeof limit === 'number' ? limit : queryLimitDefault;
    this.rows -= asked < 0 ? queryLimitMax : asked;
    if (this.rows < 0) {
      throw new InvalidQuery({
        field: 'limit',
        reason: `must be at most ${queryLimitMax} for all the lists of a request`,
      });
    }
  }

  /** Refuses an answer where those of the request become too large. */
  take(answer: unknown): void {
    this.values -= countValues(answer, this.values);
    if (this.values < 0) {
      throw new InvalidQuery({
        reason: `the answer would hold more than ${GRAPHQL_LIMITS.answer} values: ask for fewer items or fields`,
      });
    }
  }
}
