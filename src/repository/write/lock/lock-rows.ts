import type { Action } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import { readsRowAlone } from '../../compile/row-alone';
import type { TableScope } from '../../compile/scope';
import type { Compiled } from '../../compile/statement';
import type { Key } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';
import { realScope, type CollectionWrite } from '../collection-write';
import { judgedFilters } from '../judge/judged-filters';
import { acquire, acquireNoWait } from './acquire-locks';
import { assertReached } from './assert-reached';
import { lockParents, parentPaths } from './lock-parents';
import { compileLock, compileLockMet, type LockedRow, type WriteLock } from './lock-sql';
import { lockFor } from './lock-strength';
import { casesMet, findMatching, type MatchingCases, type Met } from './matching-cases';

/** The locked rows, and the cases that each matches. */
export interface Matching {
  readonly cases: MatchingCases;
  readonly rows: ReadonlyMap<string, LockedRow>;
  /** How they are locked; undefined where they are not yet. */
  readonly how?: WriteLock;
}

/**
 * Finds the cases that each row meets, and locks the rows in key order: a request decides on the state before its first
 * write, and no one changes it meanwhile. Where the rules read other rows too, matching rows are checked again once
 * they are locked, in a new statement.
 * @param fields what an update sets
 * @throws Forbidden where a row is missing or matches no case
 */
export async function lockMatching(
  scope: CollectionWrite,
  keys: readonly Key[],
  fields: Iterable<string>,
): Promise<Matching> {
  const { collection, registry } = scope;
  const { cases, unrestricted } = scope.decision;
  const filters = cases.map((each) => each.rows);
  const real = realScope(registry, collection);
  const how = scope.parentLocks.raised.has(collection) ? 'UPDATE' : await lockFor(scope, fields);
  if (unrestricted) {
    const rows = await lock(scope, keys, compileLock(real, keys, how));
    return { how, rows, cases: new Map(keys.map((key) => [String(key), cases])) };
  }
  const isAlone = filters.every((filter) => readsRowAlone(filter, collection));
  const all = [...filters, ...judgedFilters(scope.decision)];
  const isAhead = scope.parentLocks.isRepeated && parentPaths(all).length > 0;
  if (!isAlone || isAhead) await findMatching(scope, keys, scope.tx);
  // Writes that are nested in a parent lock the parent before its items; a transaction that had to give way to one of
  // them takes the locks in the same order.
  if (isAhead) await lockParents(scope, keys, all, 'ahead');
  if (isAlone) {
    const rows = await lock(scope, keys, compileLockMet(real, keys, filters, how));
    return { how, rows, cases: casesMet(scope, keys, [...rows.values()]) };
  }
  const rows = await lock(scope, keys, compileLock(real, keys, how));
  await lockParents(scope, keys, filters, 'nowait');
  return { how, rows, cases: await findMatching(scope, keys, scope.tx) };
}

/**
 * Call once it is known what hooks set: rows that others may refer to meanwhile are locked again where they may not.
 * @throws DeadlockAhead where others have just come to refer to them, and may be waiting for the lock
 */
export async function raiseLock(
  scope: CollectionWrite,
  keys: readonly Key[],
  { how }: Matching,
  fields: Iterable<string>,
): Promise<void> {
  const { collection, registry, parentLocks } = scope;
  if (how !== 'NO KEY UPDATE' || (await lockFor(scope, fields)) === how) return;
  parentLocks.raised.add(collection);
  const compiled = compileLock(realScope(registry, collection), keys, 'UPDATE');
  await acquireNoWait(scope, compiled);
}

async function lock(
  scope: CollectionWrite,
  keys: readonly Key[],
  compiled: Compiled,
): Promise<ReadonlyMap<string, LockedRow & Met>> {
  const locked = await acquire(scope, scope.collection, compiled);
  if (locked.length !== keys.length) throw new Forbidden({});
  return new Map(locked.map((row) => [String(row.key), row]));
}

/** Rows that one request updates or deletes in the same way. */
export interface RowsToLock {
  readonly keys: readonly Key[];
  readonly action: Action;
  /** What an update sets. */
  readonly fields: Iterable<string>;
}

/**
 * Locks those of the rows that still exist, all in key order, so that two requests for the same rows cannot deadlock
 * even where each does something else to them.
 * @throws Forbidden where the caller may not do this to one of them
 */
export async function lockRows(
  scope: CollectionWrite,
  collection: StoredCollection,
  parts: readonly RowsToLock[],
): Promise<void> {
  const { caller, registry, tx } = scope;
  const real = (): TableScope => realScope(registry, collection);
  const locks: WriteLock[] = [];
  for (const { keys, action, fields } of parts) {
    const decision = caller.decide(action, collection.name);
    if (!decision) throw new Forbidden({});
    await assertReached(decision, real(), keys, tx);
    locks.push(await lockFor({ collection, decision, tx }, fields));
  }
  const all = parts.flatMap(({ keys }) => keys);
  const isRaised = scope.parentLocks.raised.has(collection);
  const how = isRaised || locks.includes('UPDATE') ? 'UPDATE' : 'NO KEY UPDATE';
  await acquire(scope, collection, compileLock(real(), all, how));
}
