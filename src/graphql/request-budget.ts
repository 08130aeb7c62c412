import type { GraphQLResolveInfo } from 'graphql';
import { MAX_CHARACTERS, AnswerBudget } from '../repository';
import { InvalidQuery } from '../common/errors';
import type { DisconnectSignal } from '../common/request/disconnect-signal';
import type { AppConfig } from '../config/app-config';
import { type AnswerSize, measureAnswer } from './answer-size';
import { GRAPHQL_LIMITS } from './limits';

/** The lists of one request together may read no more than one REST request. */
export class RequestBudget {
  /** What is read for them. */
  readonly reading: AnswerBudget;
  private rows: number;
  private values: number = GRAPHQL_LIMITS.answer;
  private characters = MAX_CHARACTERS;

  constructor(
    private readonly config: AppConfig,
    client?: DisconnectSignal,
  ) {
    this.reading = new AnswerBudget(client);
    this.rows = config.queryLimitMax;
  }

  /**
   * Refuses a list where those of the request might become too long. One that is refused, here or for a limit that no
   * list may have, takes nothing from the others.
   * @param limit as requested
   */
  takeRows(limit: unknown): void {
    const { queryLimitDefault, queryLimitMax } = this.config;
    const requested = typeof limit === 'number' ? limit : queryLimitDefault;
    if (requested < -1 || requested > queryLimitMax) return;
    const rows = requested === -1 ? queryLimitMax : requested;
    if (rows > this.rows) {
      throw new InvalidQuery({
        field: 'limit',
        reason: `must be at most ${queryLimitMax} for all the lists of a request`,
      });
    }
    this.rows -= rows;
  }

  /** Refuses an answer where those of the request become too large. */
  take(answer: unknown, info: GraphQLResolveInfo): void {
    this.add(measureAnswer(answer, info));
  }

  /** The same for an operation that may answer again, as a write does after a deadlock: only its last answer counts. */
  taking(info: GraphQLResolveInfo): (answer: unknown) => void {
    let lastAnswer: AnswerSize = { values: 0, characters: 0 };
    return (answer) => {
      this.values += lastAnswer.values;
      this.characters += lastAnswer.characters;
      lastAnswer = measureAnswer(answer, info);
      this.add(lastAnswer);
    };
  }

  private add({ values, characters }: AnswerSize): void {
    this.values -= values;
    this.characters -= characters;
    if (this.values < 0) throw tooMuch(`${GRAPHQL_LIMITS.answer} values`);
    if (this.characters < 0) throw tooMuch(`${MAX_CHARACTERS} characters`);
  }
}

const BUDGET = Symbol('budget');

/** What a resolver gets, with the budget of its request. */
interface BudgetedInfo extends GraphQLResolveInfo {
  readonly [BUDGET]?: RequestBudget;
}

export const withBudget = (info: GraphQLResolveInfo, budget: RequestBudget): GraphQLResolveInfo =>
  Object.assign(info, { [BUDGET]: budget });

export const budgetOf = (info: BudgetedInfo): RequestBudget | undefined => info[BUDGET];

const tooMuch = (what: string): InstanceType<typeof InvalidQuery> =>
  new InvalidQuery({
    reason: `the answer would hold more than ${what}: ask for fewer items or fields`,
  });
