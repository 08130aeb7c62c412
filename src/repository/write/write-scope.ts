import type { Decision, Who } from '../../engine';
import { openScope, type Scope } from '../compile/scope';
import { RealView, VirtualView } from '../compile/views';
import type { Change, CollectionHooks, Key, WriteContext } from '../hooks';
import type { Collection } from '../registry/collection';
import type { CollectionRegistry } from '../registry/registry';
import type { Planner } from './plan';

/** What every step of a write needs to know: who writes what, by which decision, in which transaction. */
export interface WriteScope extends WriteContext {
  readonly registry: CollectionRegistry;
  readonly collection: Collection;
  readonly decision: Decision;
  readonly hooks: CollectionHooks;
  /** Plans what the payload says of related rows. */
  readonly related: Planner;
  /** Notes that a row is written by this request; the same row twice is refused. */
  claim(keys: readonly Key[]): void;
  note(action: Change['action'], keys: readonly Key[]): void;
  /** Runs after the request's last write. */
  atEnd(work: () => Promise<void>): void;
}

/** The collection's real table under the name `t0`, in a statement of its own. */
export const realScope = (registry: CollectionRegistry, collection: Collection): Scope =>
  openScope(collection, new RealView(registry));

/** The collection as the caller sees it. */
export const virtualScope = (
  registry: CollectionRegistry,
  collection: Collection,
  who: Who,
): Scope => openScope(collection, new VirtualView(registry, who));
