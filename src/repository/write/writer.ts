import type { DatabaseError } from 'pg';
import type { Action, Who } from '../../engine';
import { Forbidden, InvalidPayload } from '../../common/errors';
import type { Queries } from '../../database/database';
import type { Change, CollectionHooks, Key, RelatedWriter } from '../hooks';
import type { CollectionRegistry } from '../registry/registry';
import { isOf } from './constrained-fields';
import type { Written } from './constraint-fault';
import { MOST_ITEMS } from './most-items';
import { NO_LINK, type Planner, type Step, type Update } from './plan';
import { planCreate } from './plan-create';
import { planDelete } from './plan-delete';
import { planUpdate } from './plan-update';
import type { WriteScope } from './write-scope';

const MOST_NESTED = 5;

/** The writes of one request: one caller, one transaction, any number of collections. */
export class Writer implements RelatedWriter {
  /** What was written, in order. */
  readonly changes: Change[] = [];
  private readonly judgements: (() => Promise<void>)[] = [];
  private nested = 0;

  constructor(
    private readonly who: Who,
    private readonly tx: Queries,
    private readonly registry: CollectionRegistry,
    private readonly hooksOf: (collection: string) => CollectionHooks,
  ) {}

  async create(collection: string, payloads: readonly unknown[]): Promise<Key[]> {
    const step = await this.planner(new Set(), 0).create(collection, payloads, []);
    return step(NO_LINK);
  }

  update(collection: string, keys: readonly Key[], payload: unknown): Promise<Key[]> {
    return this.updateEach(collection, [{ keys, payload }]);
  }

  async updateEach(collection: string, updates: readonly Update[]): Promise<Key[]> {
    const step = await this.planner(new Set(), 0).update(collection, updates, []);
    return step(NO_LINK);
  }

  async delete(collection: string, keys: readonly Key[]): Promise<void> {
    const step = await this.planner(new Set(), 0).delete(collection, keys);
    await step(NO_LINK);
  }

  /** Judges everything that was written, on the rows as the last write left them. */
  async judge(): Promise<void> {
    for (const judge of this.judgements) await judge();
  }

  /** What the request wrote to the table that the database speaks of. */
  writtenTo(error: DatabaseError): Written | undefined {
    for (const { collection: name, action } of this.changes) {
      const collection = this.registry.get(name);
      const decision = this.who.decide(name, action);
      if (collection && decision && isOf(error, collection)) return { collection, decision };
    }
    return undefined;
  }

  /** @param claimed the rows that the request writes already, as `collection key` */
  private planner(claimed: Set<string>, depth: number): Planner {
    const scope = (collection: string, action: Action, items = 0): WriteScope => {
      if (depth > 0) this.countNested(items);
      return this.scope(collection, action, claimed, depth);
    };
    return {
      create: (collection, payloads, linked): Promise<Step> =>
        planCreate(scope(collection, 'create', payloads.length), payloads, linked),
      update: (collection, updates, linked): Promise<Step> =>
        planUpdate(scope(collection, 'update', updates.length), updates, linked),
      delete: (collection, keys): Promise<Step> => planDelete(scope(collection, 'delete'), keys),
    };
  }

  private countNested(items: number): void {
    this.nested += items;
    if (this.nested <= MOST_ITEMS) return;
    throw new InvalidPayload({ reason: `the body must hold at most ${MOST_ITEMS} related items` });
  }

  private scope(name: string, action: Action, claimed: Set<string>, depth: number): WriteScope {
    const decision = this.who.decide(name, action);
    const collection = this.registry.get(name);
    if (!decision || !collection) throw new Forbidden({});
    if (depth > MOST_NESTED) {
      throw new InvalidPayload({ reason: `the body nests more than ${MOST_NESTED} related items` });
    }
    const { who, tx, registry } = this;
    return {
      ...{ who, tx, registry, collection, decision },
      hooks: this.hooksOf(name),
      write: this,
      related: this.planner(claimed, depth + 1),
      claim: (keys) => claimRows(claimed, name, collection.key, keys),
      note: (done, keys) =>
        void (keys.length > 0 && this.changes.push({ collection: name, action: done, keys })),
      atEnd: (work) => void this.judgements.push(work),
    };
  }
}

function claimRows(
  claimed: Set<string>,
  collection: string,
  field: string,
  keys: readonly Key[],
): void {
  for (const key of keys) {
    const row = `${collection} ${key}`;
    if (claimed.has(row)) throw new InvalidPayload({ field, reason: 'names the same item twice' });
    claimed.add(row);
  }
}
