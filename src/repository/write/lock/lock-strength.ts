import { type Decision, mergePresets } from '../../../engine';
import type { Queries } from '../../../database/database';
import { quote } from '../../../database/quote';
import { type StoredCollection, storedFields } from '../../registry/stored-collection';
import type { WriteLock } from './lock-sql';
import { tableFacts } from '../store/table-facts';
import { isObject } from '../../../common/is-object';

/** What is written under which decision, and where. */
interface LockedFor {
  readonly collection: StoredCollection;
  readonly decision: Decision;
  readonly tx: Queries;
}

/**
 * How rows are locked to be written. A delete lets nobody refer to its row meanwhile, even one that only marks the row
 * as deleted; an update does, since a key never changes, with two exceptions. PostgreSQL takes every column of a unique
 * index for a key: an update that changed one would wait for those who have just come to refer to the row, while they
 * may be waiting for the lock. And two rows of one collection that come to refer to each other at once must not both be
 * stored before a hook looks at them.
 * @param fields what the update sets, besides presets and what the service fills in
 */
export async function lockFor(scope: LockedFor, fields: Iterable<string>): Promise<WriteLock> {
  const { collection, decision } = scope;
  if (decision.action === 'delete') return 'UPDATE';
  const { identifying } = await tableFacts(scope);
  const exclusive = new Set(identifying.map(quote));
  for (const { sql, table } of collection.foreignKeys) {
    if (table === collection.table) exclusive.add(sql);
  }
  if (exclusive.size === 0) return 'NO KEY UPDATE';
  const set = [...fields, ...mergePresets(decision.cases).keys(), ...filledIn(collection)];
  const isExclusive = (name: string): boolean => {
    const column = name === collection.key ? undefined : collection.columns.get(name);
    return column !== undefined && exclusive.has(column.sql);
  };
  return set.some(isExclusive) ? 'UPDATE' : 'NO KEY UPDATE';
}

/** The fields that payloads set, in any form, since nothing has been checked yet. */
export const fieldsSent = (payloads: readonly unknown[]): ReadonlySet<string> =>
  new Set(payloads.flatMap((sent) => (isObject(sent) ? Object.keys(sent) : [])));

const filledIn = (collection: StoredCollection): string[] =>
  storedFields(collection).flatMap(({ name, filling }) => (filling === undefined ? [] : [name]));
