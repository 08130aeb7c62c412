import type { Decision, Caller } from '../../engine';
import type { Tx } from '../../database/database';
import { openScope, type TableScope } from '../compile/scope';
import { RealView, VirtualView } from '../compile/views';
import type { Change, CollectionHooks, CommitHooks } from '../hooks';
import type { StoredCollection } from '../registry/stored-collection';
import type { CollectionRegistry } from '../registry/registry';
import type { Key, TransactionContext } from '../write-context';
import type { NestedItems } from './plan/nested-items';
import type { CharacterBudget } from './character-budget';
import type { RowsBefore } from './rows-before';
import type { ParentLocks } from './lock/parent-locks';
import type { ChangeLog } from './log/change-log';
import type { HandleTurns } from './handle-turns';
import { LookUps } from './look-ups';
import type { DeletePlan, Membership, RowsPlan, Update } from './plan/plan';

/** Who writes, and in which transaction. */
export interface WriteRequest {
  readonly caller: Caller;
  /** The user whose request led to what the system writes: errors show them only what they may know. */
  readonly requester?: Caller;
  readonly tx: Tx;
  readonly registry: CollectionRegistry;
  readonly hooksOf: (collection: string) => CollectionHooks;
  readonly commitHooks: CommitHooks;
  readonly log: ChangeLog;
  readonly beforeBudget: CharacterBudget;
  /** What the transaction may store. */
  readonly storedBudget: CharacterBudget;
  readonly parentLocks: ParentLocks;
  /** The turns of the handle that writes: each write of a handle waits for the hooks of the one before. */
  readonly turns: HandleTurns;
  /** Whether a hook makes the write. */
  readonly byHook: boolean;
  /** What the transaction has written so far, in any name. */
  readonly changes: readonly Change[];
  /** What hooks read and write with. @param cause the write that they are hooks of, in words */
  readonly contextOf: (cause: string) => TransactionContext;
}

/** What every step of a write needs to know: who writes what, by which decision, in which transaction. */
export interface CollectionWrite extends Omit<WriteRequest, 'hooksOf' | 'contextOf'> {
  readonly collection: StoredCollection;
  readonly decision: Decision;
  readonly hooks: CollectionHooks;
  /** The rows of the plan as they were. */
  readonly before: RowsBefore;
  /** What its hooks read and write with, shared by all of them. */
  readonly context: () => TransactionContext;
  /** What its hooks have looked up, shared by all of them. */
  readonly lookUps: () => LookUps;
}

/** What is being planned, and the planner for the related rows in the payload. */
export interface CollectionPlanning extends CollectionWrite {
  readonly related: RelatedPlanner;
  /** Whether these are the request's own items, not related ones nor what a hook writes. */
  readonly isRequested: boolean;
  readonly nested: NestedItems;
}

/** Plans writes to any collection in the caller's name, each under its own rules. */
export interface RelatedPlanner {
  /**
   * @param linked foreign keys that will be filled in: setting them requires the same right as sending them
   * @param membership of the rows in a list, where that decides about their foreign key
   */
  create(
    collection: string,
    payloads: readonly unknown[],
    linked?: readonly string[],
    membership?: Membership,
  ): Promise<RowsPlan>;
  update(
    collection: string,
    updates: readonly Update[],
    linked?: readonly string[],
    membership?: Membership,
  ): Promise<RowsPlan>;
  delete(collection: string, keys: readonly Key[]): Promise<DeletePlan>;
  /**
   * Rows that stay in a list as they are.
   * @param foreignKey theirs to the row that has the list
   * @throws InvalidPayload where the request moves one of them to another list
   */
  keep(collection: string, keys: readonly Key[], foreignKey: string): void;
}

/** The request as seen by a write to one collection. */
export const collectionWrite = (
  request: WriteRequest,
  { collection, decision, before }: Pick<CollectionWrite, 'collection' | 'decision' | 'before'>,
): CollectionWrite => {
  let cached: TransactionContext | undefined;
  let lookUps: LookUps | undefined;
  return {
    ...request,
    collection,
    decision,
    before,
    hooks: request.hooksOf(collection.name),
    context: () => (cached ??= request.contextOf(`${decision.action} ${collection.name}`)),
    lookUps: () => (lookUps ??= new LookUps(request.changes, before.keys)),
  };
};

/** The collection's real table under the name `t0`, in a statement of its own. */
export const realScope = (registry: CollectionRegistry, collection: StoredCollection): TableScope =>
  openScope(collection, new RealView(registry));

/** The collection as the caller sees it. */
export const virtualScope = (
  registry: CollectionRegistry,
  collection: StoredCollection,
  caller: Caller,
): TableScope => openScope(collection, new VirtualView(registry, caller));
