import type { Who } from '../engine';
import { Forbidden } from '../common/errors';
import type { ProtectedRepository } from '../repository/protected-repository';
import type { RawQuery } from '../repository/query/query';
import type { ReadingBudget } from '../repository/read/answer-budget';
import { type Answer, answerItem, answerList, answerWritten } from './answer';
import {
  asObject,
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
  async list(who: Who, query: RawQuery, budget?: ReadingBudget): Promise<Answer> {
    return answerList(await this.repository.list(who, query, budget));
  }

  /** SEARCH: the query stands in the body. */
  search(who: Who, body: unknown): Promise<Answer> {
    const { query = {}, ...rest } = asObject(body);
    refuseOthers(rest);
    return this.list(who, asObject(query, 'query'));
  }

  async one(
    who: Who,
    key: string,
    query: RawQuery,
    budget?: ReadingBudget,
  ): Promise<Answer | undefined> {
    const page = await this.repository.one(who, key, query, budget);
    return answerItem({ ...page, rows: [page.row] });
  }

  /** An object makes one item, a list many, all or none. */
  async create(who: Who, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    if (Array.isArray(body))
      return answerWritten(await this.repository.create(who, boundedItems(body), query));
    return answerItem(await this.repository.create(who, [body], query));
  }

  async updateOne(
    who: Who,
    key: string,
    body: unknown,
    query: RawQuery,
  ): Promise<Answer | undefined> {
    return answerItem(await this.repository.update(who, { keys: [key] }, body, query));
  }

  /**
   * `[{id, …}]` gives each its own values; `{keys, data}`, `{query, data}` and `{id: [1, 2], …}` give all the same.
   */
  async updateMany(who: Who, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    if (Array.isArray(body)) {
      const updates = this.selection.each(body);
      return answerWritten(await this.repository.updateEach(who, updates, query));
    }
    const { selector, data } = this.selection.all(body);
    return answerWritten(await this.repository.update(who, selector, data, query));
  }

  /** A list of ids, `{keys}` or `{query}`. */
  deleteMany(who: Who, body: unknown): Promise<void> {
    return this.repository.delete(who, this.selection.alone(body));
  }

  deleteOne(who: Who, key: string): Promise<void> {
    return this.repository.delete(who, { keys: [key] });
  }

  /** A hidden row and a missing one are alike. */
  async readSingleton(
    who: Who,
    query: RawQuery,
    budget?: ReadingBudget,
  ): Promise<Answer | undefined> {
    const page = await this.repository.list(who, { ...query, limit: 1 }, budget);
    if (page.rows.length === 0) throw new Forbidden({});
    return answerItem(page);
  }

  async updateSingleton(who: Who, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    return answerItem(await this.repository.updateSingleton(who, body, query));
  }
}
