import type { Who } from '../access';
import { Forbidden, InvalidPayload } from '../common/errors';
import type { ProtectedRepository, Selector } from './protected-repository';
import type { RawQuery } from './query/query';
import { type Answer, answerItem, answerList, answerWritten } from './answer';
import { MOST_ITEMS } from './write/most-items';

/**
 * The operations of a collection in the forms in which they may be asked for; both transports speak to this.
 */
export class CollectionService {
  constructor(
    private readonly repository: ProtectedRepository,
    /** Turns another form of a create's body into the items that it means. */
    private readonly readBody: (body: unknown) => unknown = (body) => body,
  ) {}

  async list(who: Who, query: RawQuery): Promise<Answer> {
    return answerList(await this.repository.list(who, query));
  }

  /** SEARCH: the query stands in the body. */
  search(who: Who, body: unknown): Promise<Answer> {
    const { query = {}, ...rest } = asObject(body);
    refuseOthers(rest);
    return this.list(who, asObject(query, 'query'));
  }

  async one(who: Who, key: string, query: RawQuery): Promise<Answer | undefined> {
    const page = await this.repository.one(who, key, query);
    return answerItem({ ...page, rows: [page.row] });
  }

  /** An object makes one item, a list many, all or none. */
  async create(who: Who, sent: unknown, query: RawQuery): Promise<Answer | undefined> {
    const body = this.readBody(sent);
    if (Array.isArray(body))
      return answerWritten(await this.repository.create(who, bounded(body), query));
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
      const updates = bounded(body).map((item) => this.addressed(item));
      return answerWritten(await this.repository.updateEach(who, updates, query));
    }
    const { selector, data } = this.selected(asObject(body));
    return answerWritten(await this.repository.update(who, selector, data, query));
  }

  /** A list of ids, `{keys}` or `{query}`. */
  deleteMany(who: Who, body: unknown): Promise<void> {
    if (Array.isArray(body)) return this.repository.delete(who, { keys: bounded(body) });
    const { keys, query, ...rest } = asObject(body);
    refuseOthers(rest);
    return this.repository.delete(who, asSelector(keys, query));
  }

  deleteOne(who: Who, key: string): Promise<void> {
    return this.repository.delete(who, { keys: [key] });
  }

  /** A hidden row and a missing one are alike. */
  async readSingleton(who: Who, query: RawQuery): Promise<Answer | undefined> {
    const page = await this.repository.list(who, { ...query, limit: 1 });
    if (page.rows.length === 0) throw new Forbidden({});
    return answerItem(page);
  }

  async updateSingleton(who: Who, body: unknown, query: RawQuery): Promise<Answer | undefined> {
    return answerItem(await this.repository.updateSingleton(who, body, query));
  }

  private addressed(item: unknown): { key: unknown; payload: unknown } {
    const { [this.repository.collection.key]: key, ...payload } = asObject(item);
    if (key === undefined) {
      throw new InvalidPayload({ field: this.repository.collection.key, reason: 'is missing' });
    }
    return { key, payload };
  }

  private selected(body: Record<string, unknown>): { selector: Selector; data: unknown } {
    const { key } = this.repository.collection;
    if (Array.isArray(body[key])) {
      const { [key]: keys, ...data } = body;
      return { selector: { keys: bounded(keys as unknown[]) }, data };
    }
    const { keys, query, data, ...rest } = body;
    refuseOthers(rest);
    if (data === undefined) throw new InvalidPayload({ field: 'data', reason: 'is missing' });
    return { selector: asSelector(keys, query), data };
  }
}

function asSelector(keys: unknown, query: unknown): Selector {
  if ((keys === undefined) === (query === undefined)) {
    throw new InvalidPayload({
      field: 'keys',
      reason: 'or "query" must say which items are meant',
    });
  }
  if (query !== undefined) return { query: asObject(query, 'query') };
  if (!Array.isArray(keys))
    throw new InvalidPayload({ field: 'keys', reason: 'must be a list of keys' });
  return { keys: bounded(keys) };
}

function asObject(body: unknown, field?: string): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new InvalidPayload({
    ...(field && { field }),
    reason: field ? 'must be an object' : 'the body must be an object or a list',
  });
}

function refuseOthers(rest: Record<string, unknown>): void {
  const [field] = Object.keys(rest);
  if (field !== undefined) throw new InvalidPayload({ field, reason: 'does not belong here' });
}

function bounded(list: unknown[]): unknown[] {
  if (list.length > MOST_ITEMS) {
    throw new InvalidPayload({ reason: `the body must hold at most ${MOST_ITEMS} items` });
  }
  return list;
}
