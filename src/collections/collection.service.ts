import type { Caller } from '../engine';
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
} from '../repository/write/plan/selection-body';

/**
 * The operations of a collection, with queries and bodies as the API takes them; the routes and GraphQL operations call
 * these. The caller comes first, and all is under their rules. A collection, item or field that does not exist is
 * refused like one that they may not see: Forbidden.
 */
export class CollectionService {
  private readonly selection: RowSelection;

  /** @param extended the caller with the rights to this collection that they have beyond their rules */
  constructor(
    private readonly repository: ProtectedRepository,
    private readonly extended = (caller: Caller): Caller => caller,
  ) {
    this.selection = new RowSelection(repository.collection.key);
  }

  /**
   * The items that the query finds and the caller may see; of a query with `aggregate` its groups.
   *
   *     await invoices.list(caller, { fields: ['number'], sort: ['-number'], limit: 1 }); // { data: [{ number: 'A-9' }] }
   *
   * @param budget shared by several reads of one request
   * @throws Forbidden where the caller may read nothing of the collection, or names a field that they may not read;
   * InvalidQuery
   */
  async list(caller: Caller, query: RawQuery, budget?: AnswerBudget): Promise<Answer> {
    return answerList(await this.repository.list(this.extended(caller), query, budget));
  }

  /**
   * `list` with the query in the body, as `SEARCH` sends it: `{ query: { … } }`.
   * @throws what `list` throws; InvalidPayload
   */
  search(caller: Caller, body: unknown): Promise<Answer> {
    const { query = {}, ...rest } = asBody(body, undefined, 'the body must be an object');
    refuseOthers(rest);
    return this.list(caller, asBody(query, 'query'));
  }

  /**
   * One item by its key.
   * @param grants what is shown beyond the caller's own rules
   * @throws Forbidden where there is no such item, or the caller may not see it; InvalidQuery
   */
  async one(
    caller: Caller,
    key: string,
    query: RawQuery,
    budget?: AnswerBudget,
    grants?: AdditionalGrants,
  ): Promise<Answer | undefined> {
    const reading = { budget, ...(grants && { grants }) };
    const page = await this.repository.one(this.extended(caller), key, query, reading);
    return answerItem({ ...page, rows: [page.row] });
  }

  /**
   * The items with these keys, in the order of the keys; those that the caller may not see are left out.
   * @throws Forbidden where the caller may read nothing of the collection; InvalidQuery
   */
  async listByKeys(
    caller: Caller,
    keys: readonly string[],
    query: RawQuery,
    budget?: AnswerBudget,
    grants?: AdditionalGrants,
  ): Promise<Answer> {
    const reading = { budget, ...(grants && { grants }) };
    return answerList(
      await this.repository.listByKeys(this.extended(caller), keys, query, reading),
    );
  }

  /**
   * Creates one item from an object, or several from a list, all or none.
   * @param query which fields are answered
   * @returns the new item or items, as far as the caller may read them; undefined where they may read nothing of them
   * @throws Forbidden; InvalidPayload, for a list of more than 2,500 items too; FailedValidation and other errors of
   * values; InvalidQuery; what hooks throw
   */
  async create(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    if (Array.isArray(body))
      return answerWritten(
        await this.repository.create(this.extended(caller), boundedItems(body), query),
      );
    return answerItem(await this.repository.createOne(this.extended(caller), body, query));
  }

  /**
   * Sets the fields of one item that the body names.
   * @param query which fields are answered
   * @param grants what is shown beyond the caller's own rules
   * @returns the item, as far as the caller may read it; undefined where they may read nothing of it
   * @throws Forbidden where there is no such item, or the caller may not update it so; VersionConflict (409) where the
   * body carries a version that is no longer the stored one; otherwise what `create` throws
   */
  async updateOne(
    caller: Caller,
    key: string,
    body: unknown,
    query: RawQuery,
    grants?: AdditionalGrants,
  ): Promise<Answer | undefined> {
    return answerItem(
      await this.repository.updateOne(this.extended(caller), key, body, query, grants),
    );
  }

  /**
   * Updates several items, all or none: `[{ id: 1, … }, { id: 2, … }]` gives each its own values;
   * `{ keys: [1, 2], data }`, `{ query: { filter }, data }` and `{ id: [1, 2], … }` give all the same.
   * @returns the items, as far as the caller may read them; undefined where they may read nothing of them
   * @throws what `updateOne` throws
   */
  async updateMany(caller: Caller, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    if (Array.isArray(body)) {
      const updates = this.selection.readUpdates(body);
      return answerWritten(await this.repository.updateEach(this.extended(caller), updates, query));
    }
    const { selector, data } = this.selection.readSharedUpdate(body);
    return answerWritten(
      await this.repository.update(this.extended(caller), selector, data, query),
    );
  }

  /**
   * Deletes several items, all or none: `[1, 2]`, `{ keys: [1, 2] }` or `{ query: { filter } }`.
   * @throws what `deleteOne` throws; InvalidPayload; InvalidQuery
   */
  deleteMany(caller: Caller, body: unknown): Promise<void> {
    return this.repository.delete(this.extended(caller), this.selection.readSelector(body));
  }

  /**
   * Deletes one item by its key.
   * @throws Forbidden where there is no such item, or the caller may not delete it; InvalidForeignKey where others
   * refer to it; what hooks throw
   */
  deleteOne(caller: Caller, key: string): Promise<void> {
    return this.repository.delete(this.extended(caller), { keys: [key] });
  }

  /**
   * The one item of a singleton.
   * @throws Forbidden where it does not exist, or the caller may not see it; InvalidQuery
   */
  async readSingleton(
    caller: Caller,
    query: RawQuery,
    budget?: AnswerBudget,
  ): Promise<Answer | undefined> {
    return answerItem(await this.repository.readSingleton(this.extended(caller), query, budget));
  }

  /**
   * Sets the fields of a singleton's one item that the body names.
   * @returns the item, as far as the caller may read it; undefined where they may read nothing of it
   * @throws what `updateOne` throws
   */
  async updateSingleton(
    caller: Caller,
    body: unknown,
    query: RawQuery,
  ): Promise<Answer | undefined> {
    return answerItem(await this.repository.updateSingleton(this.extended(caller), body, query));
  }
}
