import type { Action, Caller, Decision } from '../engine';
import { Forbidden } from '../common/errors';
import type { Queries } from '../database/database';
import { AnsweredWrites } from './answered-writes';
import type { Key } from './write-context';
import type { RawQuery } from './query/query';
import type { AnswerBudget } from './read/answer-budget';
import { decisionOnItem } from './read/decision-on-item';
import { CollectionReader, type ItemReading } from './read/collection-reader';
import type { AdditionalGrants } from './read/additional-grants';
import type { Page, Row } from './read/row-reader';
import { parseKeys } from './registry/parse-key';
import type { StoredCollection } from './registry/stored-collection';
import type { RepositorySetting } from './repository-setting';
import { requesterOf } from './requester-of';
import { asPayload } from './write/plan/payload';
import type { Update } from './write/plan/plan';
import { selectKeys, type SelectedFrom } from './write/plan/selected-rows';
import type { ItemUpdate, Selector } from './write/plan/selection-body';

/**
 * A collection under the rules of the caller, who is the first argument of each method. Rows and fields that they may
 * not see are treated as if they did not exist.
 */
export class ProtectedRepository {
  private readonly reader: CollectionReader;
  private readonly writes: AnsweredWrites;

  constructor(
    readonly collection: StoredCollection,
    private readonly setting: RepositorySetting,
  ) {
    this.reader = new CollectionReader(collection, setting);
    this.writes = new AnsweredWrites(collection, setting, this.reader);
  }

  /**
   * @param budget shared by the reads that make up one answer
   * @throws Forbidden where the caller may read nothing of the collection, or names a field that they may not read
   */
  list(caller: Caller, raw: RawQuery, budget?: AnswerBudget): Promise<Page> {
    return this.reader.list(caller, raw, this.queriesFor(caller), budget);
  }

  /** @throws Forbidden where there is no such item for the caller */
  one(
    caller: Caller,
    key: unknown,
    raw: RawQuery,
    how: ItemReading = {},
  ): Promise<Page & { readonly row: Row }> {
    return this.reader.one(caller, key, raw, this.queriesFor(caller), how);
  }

  /** The one row of a singleton. @throws Forbidden where there is none for the caller */
  readSingleton(caller: Caller, raw: RawQuery, budget?: AnswerBudget): Promise<Page> {
    return this.reader.readSingleton(caller, raw, this.queriesFor(caller), budget);
  }

  /** The items with the keys, in their order, without those that the caller does not see. */
  listByKeys(
    caller: Caller,
    keys: readonly Key[],
    raw: RawQuery,
    how: ItemReading = {},
  ): Promise<Page> {
    return this.reader.listByKeys(caller, keys, raw, this.queriesFor(caller), how);
  }

  /** @returns the items that the caller may read, in the order of the payloads */
  async create(caller: Caller, payloads: readonly unknown[], raw: RawQuery): Promise<Page> {
    this.assertMay(caller, 'create');
    const query = this.reader.queries.answer(caller, raw);
    return this.writes.run(caller, query, payloads, (writer, _, sole) =>
      writer.create(this.collection.name, payloads, payloads.length === 1 ? sole : undefined),
    );
  }

  /** Creates one item, which the answer shows whole: no parameter chooses rows. */
  async createOne(caller: Caller, payload: unknown, raw: RawQuery): Promise<Page> {
    this.assertMay(caller, 'create');
    const query = this.reader.queries.itemAnswer(caller, raw);
    return this.writes.run(caller, query, [payload], (writer, _, sole) =>
      writer.create(this.collection.name, [payload], sole),
    );
  }

  /** Gives all the selected items the same values. */
  async update(caller: Caller, selector: Selector, payload: unknown, raw: RawQuery): Promise<Page> {
    this.assertMay(caller, 'update');
    const query = this.reader.queries.answer(caller, raw);
    return this.writes.run(caller, query, [payload], async (writer, tx) =>
      writer.update(
        this.collection.name,
        await this.select(caller, selector, { action: 'update', payload }, tx),
        payload,
      ),
    );
  }

  /** Gives one item the values, by its key. */
  async updateOne(
    caller: Caller,
    sent: unknown,
    payload: unknown,
    raw: RawQuery,
    grants?: AdditionalGrants,
  ): Promise<Page> {
    this.assertMay(caller, 'update');
    const query = this.reader.queries.itemAnswer(caller, raw, grants);
    const { name } = this.collection;
    const update = await this.prepareUpdate(caller, sent, payload);
    return this.writes.run(caller, query, [update.payload], (writer, _, sole) =>
      writer.updateEach(name, [update], sole),
    );
  }

  /** Gives each item its own values. */
  async updateEach(caller: Caller, updates: readonly ItemUpdate[], raw: RawQuery): Promise<Page> {
    this.assertMay(caller, 'update');
    const query = this.reader.queries.answer(caller, raw);
    const each: Update[] = updates.map(({ key, payload }) => ({
      keys: parseKeys(this.collection, [key]),
      payload,
    }));
    const sent = each.map(({ payload }) => payload);
    return this.writes.run(caller, query, sent, (writer) =>
      writer.updateEach(this.collection.name, each),
    );
  }

  /** Updates a singleton's one row. */
  async updateSingleton(caller: Caller, payload: unknown, raw: RawQuery): Promise<Page> {
    this.assertMay(caller, 'update');
    const query = this.reader.queries.itemAnswer(caller, raw);
    const { table, key, columns, name } = this.collection;
    const only = `SELECT ${columns.get(key)?.sql ?? ''} AS key FROM ${table} ORDER BY 1 LIMIT 1`;
    return this.writes.run(caller, query, [payload], async (writer, tx) => {
      const keys = (await tx.query<{ key: Key }>(only)).map((row) => row.key);
      if (keys.length === 0) throw new Forbidden({});
      return writer.update(name, keys, payload);
    });
  }

  async delete(caller: Caller, selector: Selector): Promise<void> {
    this.assertMay(caller, 'delete');
    await this.writes.commit(caller, async (writer, tx) => {
      const keys = await this.select(caller, selector, { action: 'delete' }, tx);
      await writer.delete(this.collection.name, keys);
      await writer.judge();
    });
  }

  /**
   * The caller's decision with only those cases that reach one item.
   * @param key undefined for a singleton's one row
   * @returns undefined where the caller may not do this to it
   */
  async decideOn(caller: Caller, action: Action, key: unknown): Promise<Decision | undefined> {
    const decision = caller.decide(action, this.collection.name);
    const place = { ...this.setting, caller, collection: this.collection };
    return decision && decisionOnItem(decision, key, place);
  }

  private async prepareUpdate(caller: Caller, sent: unknown, raw: unknown): Promise<Update> {
    const keys = parseKeys(this.collection, [sent]);
    const hooks = this.setting.hooksOf(this.collection.name);
    let payload = asPayload(raw, this.collection, this.decide(caller, 'update'));
    for (const key of keys)
      payload = (await hooks.prepareUpdate?.(payload, key, caller)) ?? payload;
    return { keys, payload, prepared: true };
  }

  private decide(caller: Caller, action: Action): Decision {
    const decision = caller.decide(action, this.collection.name);
    if (!decision) throw new Forbidden({});
    return decision;
  }

  private assertMay(caller: Caller, action: Action): void {
    if (!caller.may(action, this.collection.name)) throw new Forbidden({});
  }

  /** Reads outside of transactions, which change nothing, are given up when nobody waits for the answer any more. */
  private queriesFor(caller: Caller): Queries {
    const { database } = this.setting;
    const { left } = caller;
    return left ? database.readingFor({ left, requester: requesterOf(caller) ?? '' }) : database;
  }

  private select(
    caller: Caller,
    selector: Selector,
    how: Pick<SelectedFrom, 'action' | 'payload'>,
    tx: Queries,
  ): Promise<readonly Key[]> {
    const { setting, collection } = this;
    return selectKeys(caller, selector, { ...setting, collection, ...how }, tx);
  }
}
