import { type Action, allowsAny, type Decision, type Who } from '../engine';
import { Forbidden } from '../common/errors';
import type { Database, Queries, Tx } from '../database/database';
import type { CollectionHooks, Key } from './hooks';
import { isAggregate, parseAggregateQuery } from './query/parse-aggregate';
import { parseItemQuery, parseListQuery } from './query/parse-query';
import { asQueryError } from './query/query-error';
import type { ListQuery, RawQuery } from './query/query';
import type { QueryLimits, QuerySetting } from './query/query-limits';
import type { ReadingBudget } from './read/answer-budget';
import { aggregateAs, type Reading, readAs, settingFor } from './read/caller-reader';
import type { Page, Row } from './read/row-reader';
import type { Collection } from './registry/collection';
import type { CollectionRegistry } from './registry/registry';
import { commit, type RepositoryLogger } from './write/commit';
import type { Update } from './write/plan';
import { compileReach } from './compile/compile-rows';
import {
  type ItemUpdate,
  knownKeys,
  parseKeys,
  selectKeys,
  type Selector,
} from './write/selected-rows';
import type { Writer } from './write/writer';

/** What every repository works with. */
export interface RepositorySetting {
  readonly registry: CollectionRegistry;
  readonly database: Database;
  readonly limits: QueryLimits;
  readonly hooksOf: (collection: string) => CollectionHooks;
  readonly logger: RepositoryLogger;
}

/**
 * A collection under its rules. Every method takes the caller first, asks the engine for their decision, and answers
 * as if only their virtual tables existed.
 */
export class ProtectedRepository {
  private readonly plainItems = new WeakMap<Decision, ListQuery>();

  constructor(
    readonly collection: Collection,
    private readonly setting: RepositorySetting,
  ) {}

  /**
   * @param budget shared by the reads that one answer is made of
   * @throws Forbidden where the caller may read nothing of the collection, or names what they may not
   */
  async list(who: Who, raw: RawQuery, budget?: ReadingBudget): Promise<Page> {
    this.demand(who, 'read');
    const { registry } = this.setting;
    const queries = this.queriesFor(who);
    if (isAggregate(raw)) {
      return aggregateAs(who, this.parse(who, raw, parseAggregateQuery), registry, queries);
    }
    return this.read(who, this.parse(who, raw, parseListQuery), queries, { budget });
  }

  /** @throws Forbidden where there is no such item for the caller */
  async one(
    who: Who,
    key: unknown,
    raw: RawQuery,
    budget?: ReadingBudget,
  ): Promise<Page & { readonly row: Row }> {
    this.demand(who, 'read');
    const query = this.parseItem(who, raw);
    const keys = parseKeys(this.collection, [key]);
    const page = await this.read(who, query, this.queriesFor(who), { keys, budget });
    const [row] = page.rows;
    if (!row) throw new Forbidden({});
    return { ...page, row };
  }

  /** @returns the items that the caller may read, in the order of the payloads */
  async create(who: Who, payloads: readonly unknown[], raw: RawQuery): Promise<Page> {
    this.demand(who, 'create');
    const query = this.parseAnswer(who, raw);
    return this.write(who, query, (writer) => writer.create(this.collection.name, payloads));
  }

  /** Gives all the selected items the same values. */
  async update(who: Who, selector: Selector, payload: unknown, raw: RawQuery): Promise<Page> {
    this.demand(who, 'update');
    const query = this.parseAnswer(who, raw);
    return this.write(who, query, async (writer, tx) =>
      writer.update(this.collection.name, await this.select(who, selector, tx), payload),
    );
  }

  /** Gives each item its own values. */
  async updateEach(who: Who, updates: readonly ItemUpdate[], raw: RawQuery): Promise<Page> {
    this.demand(who, 'update');
    const query = this.parseAnswer(who, raw);
    const each: Update[] = updates.map(({ key, payload }) => ({
      keys: parseKeys(this.collection, [key]),
      payload,
    }));
    return this.write(who, query, (writer) => writer.updateEach(this.collection.name, each));
  }

  /** The one row there is. */
  async updateSingleton(who: Who, payload: unknown, raw: RawQuery): Promise<Page> {
    this.demand(who, 'update');
    const query = this.parseAnswer(who, raw);
    const { table, key, columns, name } = this.collection;
    const only = `SELECT ${columns.get(key)?.sql ?? ''} AS key FROM ${table} ORDER BY 1 LIMIT 1`;
    return this.write(who, query, async (writer, tx) => {
      const rows = await tx.query<{ key: Key }>(only);
      if (rows.length === 0) throw new Forbidden({});
      return writer.update(
        name,
        rows.map((row) => row.key),
        payload,
      );
    });
  }

  async delete(who: Who, selector: Selector): Promise<void> {
    this.demand(who, 'delete');
    await this.commit(who, async (writer, tx) => {
      await writer.delete(this.collection.name, await this.select(who, selector, tx));
      await writer.judge();
    });
  }

  /** The decision for the caller, for reports; see `explainRow`. */
  decide(who: Who, action: Action): Decision {
    const decision = who.decide(this.collection.name, action);
    if (!decision) throw new Forbidden({});
    return decision;
  }

  /**
   * Whether the caller may do this to one item; false also where there is none. For an administrator it is true
   * without looking.
   * @param key undefined for a singleton's one row
   */
  async reaches(who: Who, action: Action, key: unknown): Promise<boolean> {
    const decision = who.decide(this.collection.name, action);
    if (!decision || !allowsAny(decision)) return false;
    if (decision.unrestricted) return true;
    if (key === undefined && !this.collection.singleton) return false;
    const keys = key === undefined ? undefined : knownKeys(this.collection, [key]);
    if (keys?.length === 0) return false;
    const { text, values } = compileReach(this.setting.registry, decision, keys);
    return (await this.setting.database.query(text, values)).length > 0;
  }

  private demand(who: Who, action: Action): void {
    if (!who.may(action, this.collection.name)) throw new Forbidden({});
  }

  private parse<T>(
    who: Who,
    raw: RawQuery,
    parse: (raw: RawQuery, collection: string, setting: QuerySetting) => T,
  ): T {
    const setting = settingFor(who, this.setting.limits);
    return asQueryError(who.readable, () => parse(raw, this.collection.name, setting));
  }

  /** Where nothing is said, what is read follows from the decision alone. */
  private parseItem(who: Who, raw: RawQuery): ListQuery {
    if (Object.keys(raw).length > 0) return this.parse(who, raw, parseItemQuery);
    const decision = this.decide(who, 'read');
    const query = this.plainItems.get(decision) ?? this.parse(who, raw, parseItemQuery);
    this.plainItems.set(decision, query);
    return query;
  }

  /** How a write is answered: by all that was written, unless the query says less. */
  private parseAnswer(who: Who, raw: RawQuery): ListQuery | null {
    if (!who.may('read', this.collection.name) && raw['fields'] === undefined) return null;
    const query = this.parse(who, raw, parseListQuery);
    return raw['limit'] === undefined ? { ...query, limit: null } : query;
  }

  /** Outside of a transaction, where nothing is written: what nobody waits for any more is given up. */
  private queriesFor({ left }: Who): Queries {
    const { database } = this.setting;
    return left ? database.readingUntil(left) : database;
  }

  private read(who: Who, query: ListQuery, queries: Queries, how: Reading): Promise<Page> {
    return readAs(who, query, this.setting.registry, queries, how);
  }

  private async write(
    who: Who,
    query: ListQuery | null,
    work: (writer: Writer, tx: Queries) => Promise<readonly Key[]>,
  ): Promise<Page> {
    return this.commit(who, async (writer, tx) => {
      const keys = await work(writer, tx);
      await writer.judge();
      return query ? this.readBack(who, query, tx, keys) : { rows: [] };
    });
  }

  private commit<T>(who: Who, work: (writer: Writer, tx: Tx) => Promise<T>): Promise<T> {
    const { database, registry, hooksOf, logger } = this.setting;
    return commit({ who, registry, hooksOf, logger }, database, work);
  }

  /** What the caller may read of what was written, in the order in which it was sent unless they ask for another. */
  private async readBack(
    who: Who,
    query: ListQuery,
    tx: Queries,
    keys: readonly Key[],
  ): Promise<Page> {
    const page = await this.read(who, query, tx, { keys });
    if (query.sort.length > 0 || query.limit !== null || query.offset > 0) return page;
    const rows = new Map<string, Row>(
      page.rows.map((row, index) => [String(page.keys?.[index]), row]),
    );
    return {
      ...page,
      rows: keys.map((key) => rows.get(String(key))).filter((row) => row !== undefined),
    };
  }

  private select(who: Who, selector: Selector, tx: Queries): Promise<readonly Key[]> {
    return selectKeys(who, selector, { ...this.setting, collection: this.collection }, tx);
  }
}
