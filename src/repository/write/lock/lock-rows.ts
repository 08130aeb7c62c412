import { DatabaseError } from 'pg';
import type { Action, BoundFilter, Case, ThroughOne, Value } from '../../../engine';
import { Forbidden } from '../../../common/errors';
import type { Queries } from '../../../database/database';
import { fromOf, innerScope, isOneOf, keyIn, type TableScope } from '../../compile/scope';
import { readsRowAlone } from '../../compile/row-alone';
import type { Compiled } from '../../compile/statement';
import type { Key } from '../../write-context';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';
import { realScope, type CollectionWrite } from '../collection-write';
import { assertReached } from './assert-reached';
import { compileLock, compileLockMet, type LockedRow, type WriteLock } from './lock-sql';
import { judgedFilters } from '../judge/judged-filters';
import { lockFor } from './lock-strength';
import type { ParentLocks } from './parent-locks';
import { compileMet } from '../store/write-sql';

/** The cases that each row matches, by the text of its key. */
type MatchingCases = ReadonlyMap<string, readonly Case[]>;

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

interface Met {
  readonly key: Key;
  /** Whether the row meets each filter, by index; only where filters were given. */
  readonly met?: readonly boolean[];
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

/**
 * Locks the rows, without waiting where the transaction may share them with others.
 * @throws DeadlockAhead where others share the rows, and wait for them as well
 */
async function acquire(
  scope: CollectionWrite,
  collection: StoredCollection,
  compiled: Compiled,
): Promise<(LockedRow & Met)[]> {
  if (scope.parentLocks.mayShare(collection)) return acquireNoWait(scope, compiled);
  return scope.tx.query(compiled.text, compiled.values);
}

/** @throws DeadlockAhead instead of waiting */
async function acquireNoWait<R extends object>(
  { tx, parentLocks }: CollectionWrite,
  { text, values }: Compiled,
): Promise<R[]> {
  if (parentLocks.waits) return tx.query(text, values);
  try {
    return await tx.query(`${text} NOWAIT`, values);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === '55P03')) throw error;
    throw parentLocks.giveUp(error);
  }
}

/** @throws Forbidden where a row is missing or matches no case */
export async function findMatching(
  scope: CollectionWrite,
  keys: readonly Key[],
  queries: Queries,
): Promise<MatchingCases> {
  const filters = scope.decision.cases.map((each) => each.rows);
  const { text, values } = compileMet(realScope(scope.registry, scope.collection), keys, filters);
  return casesMet(scope, keys, await queries.query<Met>(text, values));
}

/** @param rows as returned by `compileMet` */
function casesMet(
  { decision: { cases } }: CollectionWrite,
  keys: readonly Key[],
  rows: readonly Met[],
): MatchingCases {
  const met = new Map(
    rows.map((row) => [`${row.key}`, cases.filter((_, index) => row.met?.[index] === true)]),
  );
  const reached = keys.every((key) => (met.get(String(key))?.length ?? 0) > 0);
  if (!reached) throw new Forbidden({});
  return met;
}

/**
 * Locks the rows that to-one clauses of the rules lead to: they must not change before the write that they allow is
 * committed. Rows of a view cannot be locked; rows of tables that it leads to can.
 * @param when `ahead` of the rows themselves, far parents first; or `nowait` where these are locked already, and
 * others who have locked a parent may be waiting for them
 * @throws DeadlockAhead where parents that must be locked at once are locked by others
 */
export async function lockParents(
  scope: CollectionWrite,
  keys: readonly Key[],
  filters: readonly BoundFilter[],
  when: 'ahead' | 'nowait' | 'waiting',
): Promise<void> {
  const paths = parentPaths(filters).filter((path) => !endsAtView(path, scope));
  const distinct = new Map(
    paths.map((path) => [path.map(({ field }) => field.name).join('.'), path]),
  );
  const ordered = [...distinct.values()];
  if (when === 'ahead') ordered.reverse();
  for (const path of ordered) {
    const real = realScope(scope.registry, scope.collection);
    const rows = `SELECT ${keyIn(real)} FROM ${fromOf(real)} WHERE ${isOneOf(real, keys)}`;
    const compiled = real.statement.compiled(lockAlong(real, path, rows, scope.parentLocks));
    if (when === 'nowait') await acquireNoWait(scope, compiled);
    else await scope.tx.query(compiled.text, compiled.values);
  }
}

type Path = readonly ThroughOne<Value>[];

/** Every path of the filters from parent to parent, near parents first. */
function parentPaths(filters: readonly BoundFilter[], before: Path = []): Path[] {
  return filters.flatMap((filter) => {
    switch (filter.kind) {
      case 'and':
      case 'or':
        return parentPaths(filter.of, before);
      case 'to-one': {
        const path = [...before, filter];
        return [path, ...parentPaths([filter.filter], path)];
      }
      case 'to-many':
      case 'leaf':
        return [];
    }
  });
}

function endsAtView(path: Path, { registry }: CollectionWrite): boolean {
  const last = path.at(-1);
  return last !== undefined && registry.table(last.field.target).view === true;
}

/** @param rows selects the keys of the rows where the path starts */
function lockAlong(start: TableScope, path: Path, rows: string, locks: ParentLocks): string {
  let [scope, keys] = [start, rows];
  for (const { field } of path) {
    const target = scope.view.registry.table(field.target);
    const inner = innerScope(scope, target, scope.position);
    const foreignKey = columnOf(scope.collection, field.name).sql;
    const links = `SELECT ${foreignKey} FROM ${scope.collection.rows} link WHERE ${columnOf(scope.collection, scope.collection.key).sql} IN (${keys})`;
    keys = `SELECT ${keyIn(inner)} FROM ${fromOf(inner)} WHERE ${keyIn(inner)} IN (${links})`;
    scope = inner;
  }
  return `${keys} ORDER BY ${keyIn(scope)} FOR ${locks.take(scope.collection)}`;
}
