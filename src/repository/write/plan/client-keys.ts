import { isStored, isWritable } from '../../../engine';
import { fromOf, isOneOf, keyIn, rowsIn } from '../../compile/scope';
import { and } from '../../compile/statement';
import type { Key, Payload } from '../../write-context';
import type { StoredCollection } from '../../registry/stored-collection';
import { virtualScope, type CollectionPlanning } from '../collection-write';
import type { ListPayload, RelatedUpdate } from './list-payload';

/**
 * Whether clients may choose the key of a new row, so that an object with a key and other fields may be a new row.
 * Numbers that the database assigns are not chosen.
 */
export function takesClientKey({ fields, key }: StoredCollection): boolean {
  const field = fields.get(key);
  if (!field || !isStored(field) || !isWritable(field)) return false;
  return !field.hasDefault || field.type === 'uuid' || field.type === 'text';
}

/**
 * Splits objects with a key into those of rows that the caller sees, which are updated, and new ones. The key of a
 * hidden row counts as free, until the database finds that it is taken.
 */
export async function splitByVisibility(
  scope: CollectionPlanning,
  target: StoredCollection,
  list: ListPayload,
): Promise<ListPayload> {
  if (list.update.length === 0 || !takesClientKey(target)) return list;
  const seen = await seenKeys(
    scope,
    target,
    list.update.map(({ key }) => key),
  );
  const isSeen = ({ key }: RelatedUpdate): boolean => seen.has(String(key));
  const created = list.update.filter((each) => !isSeen(each));
  return {
    ...list,
    update: list.update.filter(isSeen),
    create: [...list.create, ...created.map((each) => withKey(each, target))],
  };
}

/** The payload of an update with the key of its row, as it would be sent for a new row. */
export const withKey = (
  { key, payload }: RelatedUpdate,
  { key: name }: StoredCollection,
): Payload => ({ [name]: key, ...payload });

async function seenKeys(
  { registry, caller, tx }: CollectionPlanning,
  target: StoredCollection,
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  const scope = virtualScope(registry, target, caller);
  const where = and(isOneOf(scope, keys), rowsIn(scope));
  const { text, values } = scope.statement.compiled(
    `SELECT ${keyIn(scope)} AS key FROM ${fromOf(scope)} WHERE ${where}`,
  );
  const rows = await tx.query<{ key: Key }>(text, values);
  return new Set(rows.map(({ key }) => String(key)));
}
