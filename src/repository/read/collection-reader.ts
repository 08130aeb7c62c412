import type { Caller } from '../../engine';
import { Forbidden } from '../../common/errors';
import type { Queries } from '../../database/database';
import type { Key } from '../write-context';
import { withoutEmpty } from '../query/parameters';
import { isAggregate, parseAggregateQuery } from '../query/parse-aggregate';
import { type ListQuery, NO_META, type RawQuery } from '../query/query';
import type { StoredCollection } from '../registry/stored-collection';
import type { RepositorySetting } from '../repository-setting';
import { parseKeys } from '../registry/parse-key';
import type { AnswerBudget } from './answer-budget';
import { aggregateAs, type Reading, readAs } from './caller-reader';
import type { AdditionalGrants } from './additional-grants';
import { asSent, inOrder } from './in-order';
import { type ParsedQuery, QueryReader } from './query-reader';
import type { Page, Row } from './row-reader';

export type ReaderSetting = Pick<RepositorySetting, 'registry' | 'limits'>;

export interface ItemReading {
  /** Shared by the reads of one answer. */
  readonly budget?: AnswerBudget | undefined;
  readonly grants?: AdditionalGrants | undefined;
}

/** Reads a collection as one caller sees it, inside or outside a transaction. */
export class CollectionReader {
  readonly queries: QueryReader;

  constructor(
    private readonly collection: StoredCollection,
    private readonly setting: ReaderSetting,
  ) {
    this.queries = new QueryReader(collection.name, setting.limits);
  }

  /** @throws Forbidden where the caller may read nothing of the collection, or names what they may not */
  async list(
    caller: Caller,
    sent: RawQuery,
    queries: Queries,
    budget?: AnswerBudget,
  ): Promise<Page> {
    this.assertReads(caller);
    const raw = withoutEmpty(sent);
    if (isAggregate(raw)) {
      const query = this.queries.parse(caller, raw, parseAggregateQuery);
      return aggregateAs(caller, query, this.setting.registry, queries, budget);
    }
    const { query, cacheKey } = this.queries.list(caller, raw);
    return this.read(caller, query, queries, { budget, cacheKey });
  }

  /** @throws Forbidden where there is no such item for the caller */
  async one(
    caller: Caller,
    key: unknown,
    raw: RawQuery,
    queries: Queries,
    { budget, grants }: ItemReading = {},
  ): Promise<Page & { readonly row: Row }> {
    this.assertReads(grants?.item ?? caller);
    const { query, cacheKey } = this.queries.item(caller, raw, grants);
    const keys = parseKeys(this.collection, [key]);
    const page = await this.read(caller, query, queries, { keys, budget, cacheKey });
    const [row] = page.rows;
    if (!row) throw new Forbidden({});
    return { ...page, row };
  }

  /** The one row of a singleton. @throws Forbidden where there is none for the caller */
  async readSingleton(
    caller: Caller,
    raw: RawQuery,
    queries: Queries,
    budget?: AnswerBudget,
  ): Promise<Page> {
    this.assertReads(caller);
    const { query, cacheKey } = this.queries.item(caller, raw);
    const page = await this.read(caller, { ...query, limit: 1 }, queries, { budget, cacheKey });
    if (page.rows.length === 0) throw new Forbidden({});
    return page;
  }

  /** The items with these keys, in their order, without items that the caller does not see; `meta` counts these. */
  async listByKeys(
    caller: Caller,
    keys: readonly Key[],
    raw: RawQuery,
    queries: Queries,
    { budget, grants }: ItemReading = {},
  ): Promise<Page> {
    this.assertReads(grants?.item ?? caller);
    const { query } = this.queries.item(caller, raw, grants);
    const all = { ...query, limit: null, meta: NO_META };
    const page = inOrder(await this.read(caller, all, queries, { keys, budget }), keys);
    const { length } = page.rows;
    const { total, filtered } = query.meta;
    return { ...page, ...(total && { total: length }), ...(filtered && { filtered: length }) };
  }

  /** The rows that were written, as their writer sees them. */
  async written(
    caller: Caller,
    keys: readonly Key[],
    { query, cacheKey }: ParsedQuery,
    queries: Queries,
  ): Promise<Page> {
    // One row is read by the same statement as any item by its key.
    const read =
      cacheKey && keys.length === 1
        ? this.read(caller, { ...query, limit: 1 }, queries, { keys, cacheKey })
        : this.read(caller, query, queries, { keys });
    return asSent(await read, query, keys);
  }

  /** The answer where no row was written: nothing, and where it is counted none. */
  untouched(answer: ParsedQuery | null): Page {
    const { total, filtered } = answer?.query.meta ?? NO_META;
    const counts = { ...(total && { total: 0 }), ...(filtered && { filtered: 0 }) };
    return { rows: [], untouched: true, ...counts };
  }

  private read(caller: Caller, query: ListQuery, queries: Queries, how: Reading): Promise<Page> {
    return readAs(caller, query, this.setting.registry, queries, how);
  }

  private assertReads(caller: Caller): void {
    if (!caller.may('read', this.collection.name)) throw new Forbidden({});
  }
}
