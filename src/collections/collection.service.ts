import type { Caller } from '../engine';
import { Forbidden } from '../common/errors';
import type { ProtectedRepository } from '../repository/protected-repository';
import type { RawQuery } from '../repository/query/query';
import type { AdditionalGrants } from '../repository/read/additional-grants';
import type { AnswerBudget } from '../repository/read/answer-budget';
import { type Answer, answerItem, answerList, answerWritten } from './answer';
import {
  asBody,
  boundedItems,
  refuseOthers,
  RowSelection,
} from '../repository/write/selected-rows';

/**
 * The operations of a collection in the forms in which they may be asked for; both transports speak to this.
 */
export class CollectionService {
  private readonly selection: RowSelection;

  constructor(private readonly repository: ProtectedRepository) {
    this.selection = new RowSelection(repository.collection.key);
  }

  /** @param budget shared by the reads that one answer is made of */
  async list(caller: Caller, query: RawQuery, budget?: AnswerBudget): Promise<Answer> {
    return answerList(await this.repository.list(caller, query, budget));
  }

  /** SEARCH: the query stands in the body. */
  search(caller: Caller, body: unknown): Promise<Answer> {
    const { query = {}, ...rest } = asBody(body);
    refuseOthers(rest);
    return this.list(caller, asBody(query, 'query'));
  }

  async one(
    caller: Caller,
    key: string,
    query: RawQuery,
    budget?: AnswerBudget,
    grants?: AdditionalGrants,
  ): Promise<Answer | undefined> {
    const reading = { budget, ...(grants && { grants }) };
    const page = await this.repository.one(caller, key, query, reading);
    return answerItem({ ...page, rows: [page.row] });
  }

  /** The items with the keys, in their order, without those that the caller does not see. */
  async listByKeys(
    caller: Caller,
    keys: readonly string[],
    query: RawQuery,
    grants?: AdditionalGrants,
  ): Promise<Answer> {
    return answerList(await this.repository.listByKeys(caller, keys, query, grants));
  }

  /** An object makes one item, a list many, all or none. */
  async create(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    if (Array.isArray(body))
      return answerWritten(await this.repository.create(caller, boundedItems(body), query));
    return answerItem(await this.repository.create(caller, [body], query));
  }

  async updateOne(
    caller: Caller,
    key: string,
    body: unknown,
    query: RawQuery,
    grants?: AdditionalGrants,
  ): Promise<Answer | undefined> {
    return answerItem(await this.repository.updateOne(caller, key, body, query, grants));
  }

  /**
   * `[{id, …}]` gives each its own values; `{keys, data}`, `{query, data}` and `{id: [1, 2], …}` give all the same.
   */
  async updateMany(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    if (Array.isArray(body)) {
      const updates = this.selection.each(body);
      return answerWritten(await this.repository.updateEach(caller, updates, query));
    }
    const { selector, data } = this.selection.all(body);
    return answerWritten(await this.repository.update(caller, selector, data, query));
  }

  /** A list of ids, `{keys}` or `{query}`. */
  deleteMany(caller: Caller, body: unknown): Promise<void> {
    return this.repository.delete(caller, this.selection.alone(body));
  }

  deleteOne(caller: Caller, key: string): Promise<void> {
    return this.repository.delete(caller, { keys: [key] });
  }

  /** A hidden row and a missing one are alike. */
  async readSingleton(
    caller: Caller,
    query: RawQuery,
    budget?: AnswerBudget,
  ): Promise<Answer | undefined> {
    const page = await this.repository.list(caller, { ...query, limit: 1 }, budget);
    if (page.rows.length === 0) throw new Forbidden({});
    return answerItem(page);
  }

  async updateSingleton(
    caller: Caller,
    body: unknown,
    query: RawQuery,
  ): Promise<Answer | undefined> {
    return answerItem(await this.repository.updateSingleton(caller, body, query));
  }
}
