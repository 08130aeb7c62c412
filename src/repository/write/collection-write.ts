import type { Decision, Caller } from '../../engine';
import type { Queries } from '../../database/database';
import { openScope, type TableScope } from '../compile/scope';
import { RealView, VirtualView } from '../compile/views';
import type { CollectionHooks, Key, RelatedWriter, WriteContext } from '../hooks';
import type { StoredCollection } from '../registry/stored-collection';
import type { CollectionRegistry } from '../registry/registry';
import type { ChangeLog } from './change-log';
import type { DeletePlan, RowsPlan, Update } from './plan';

/** Whose writes they are, and in which transaction. */
export interface WriteRequest {
  readonly caller: Caller;
  readonly tx: Queries;
  readonly registry: CollectionRegistry;
  readonly hooksOf: (collection: string) => CollectionHooks;
  /** What hooks write with. */
  readonly write: RelatedWriter;
  readonly log: ChangeLog;
}

/** What every step of a write needs to know: who writes what, by which decision, in which transaction. */
export interface CollectionWrite extends WriteContext {
  readonly registry: CollectionRegistry;
  readonly collection: StoredCollection;
  readonly decision: Decision;
  readonly hooks: CollectionHooks;
  readonly log: ChangeLog;
}

/** What is being planned, with the way to plan what the payload says of related rows. */
export interface CollectionPlanning extends CollectionWrite {
  readonly related: RelatedPlanner;
}

/** Plans writes to any collection in the caller's name, each under its own rules. */
export interface RelatedPlanner {
  /** @param linked foreign keys that will be filled in: setting them needs the same right as sending them */
  create(
    collection: string,
    payloads: readonly unknown[],
    linked?: readonly string[],
  ): Promise<RowsPlan>;
  update(
    collection: string,
    updates: readonly Update[],
    linked?: readonly string[],
  ): Promise<RowsPlan>;
  delete(collection: string, keys: readonly Key[]): Promise<DeletePlan>;
}

export const collectionWrite = (
  { caller, tx, registry, hooksOf, write, log }: WriteRequest,
  { collection, decision }: Pick<CollectionWrite, 'collection' | 'decision'>,
): CollectionWrite => ({
  ...{ caller, tx, registry, write, log, collection, decision },
  hooks: hooksOf(collection.name),
});

/** The collection's real table under the name `t0`, in a statement of its own. */
export const realScope = (registry: CollectionRegistry, collection: StoredCollection): TableScope =>
  openScope(collection, new RealView(registry));

/** The collection as the caller sees it. */
export const virtualScope = (
  registry: CollectionRegistry,
  collection: StoredCollection,
  caller: Caller,
): TableScope => openScope(collection, new VirtualView(registry, caller));
