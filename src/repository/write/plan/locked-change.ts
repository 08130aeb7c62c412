import { isStored, type ToManyShape } from '../../../engine';
import type { Key } from '../../write-context';
import type { CollectionPlanning } from '../collection-write';
import { askedFor, compareLists, type ListChange } from './list-change';
import type { ListPayload } from './list-payload';
import { lockRows, type RowsToLock } from '../lock/lock-rows';
import { fieldsSent } from '../lock/lock-strength';
import { type Link, visibleLinks } from './seen-rows';

/** A list of a stored row that a payload changes. */
interface ChangedList {
  readonly parent: Key;
  readonly field: ToManyShape;
  readonly payload: ListPayload;
}

/**
 * How the payload changes the list. Where it changes rows that hold links, these are locked, along with those that are
 * to join them, and the links are read again: another transaction may just have moved the row to another list.
 * @param assertSeen throws where the caller does not see rows that are to join
 */
export async function lockedChange(
  scope: CollectionPlanning,
  { parent, field, payload }: ChangedList,
  assertSeen: (change: ListChange) => Promise<void>,
): Promise<ListChange> {
  const links = await visibleLinks(scope, parent, field, askedFor(payload));
  const change = counted(scope, compareLists(payload, links));
  const holder = scope.registry.table(field.through?.collection ?? field.target);
  // Rows of a view can be neither locked nor written: the plan refuses to.
  if (!holder.entity || holder.view) return change;
  const parts = changedRows(scope, field, change, updatedIn(payload, links));
  if (parts.length === 0) return change;
  if (!field.through) await assertSeen(change);
  await lockRows(scope, holder, parts);
  const targets = new Set(links.map(({ target }) => target));
  return compareLists(payload, await visibleLinks(scope, parent, field, [...targets]));
}

/**
 * The stored rows that hold links and change. Rows that join, and nothing else, are locked when they are planned.
 * @param staying rows in the list whose own fields change
 */
function changedRows(
  scope: CollectionPlanning,
  field: ToManyShape,
  { leaving, joining, update }: ListChange,
  staying: readonly Key[],
): RowsToLock[] {
  const left = leaving.map(({ row }) => row);
  if (field.through) return left.length > 0 ? [{ keys: left, action: 'delete', fields: [] }] : [];
  if (left.length + staying.length === 0) return [];
  const isDeleted = isDeletedOnLeaving(scope, field);
  const isLinked = joining.length > 0 || (!isDeleted && left.length > 0);
  const updated: RowsToLock = {
    keys: [...staying, ...joining, ...(isDeleted ? [] : left)],
    action: 'update',
    fields: [
      ...(isLinked ? [field.foreignKey ?? ''] : []),
      ...fieldsSent(update.map(({ payload }) => payload)),
    ],
  };
  const deleted: RowsToLock = { keys: isDeleted ? left : [], action: 'delete', fields: [] };
  return [updated, deleted].filter(({ keys }) => keys.length > 0);
}

/** Call before anything is locked or planned for the change. @throws InvalidPayload where a request has too many */
export function counted({ nested }: CollectionPlanning, change: ListChange): ListChange {
  nested.write(change.written);
  nested.leave(change.leaving.length);
  return change;
}

function updatedIn({ update }: ListPayload, links: readonly Link[]): Key[] {
  const updated = new Set(update.map(({ key }) => String(key)));
  return links.flatMap(({ target }) => (updated.has(String(target)) ? [target] : []));
}

/** A row of a junction is its link; any other row that requires a parent is deleted with its link. */
export function isDeletedOnLeaving({ registry }: CollectionPlanning, field: ToManyShape): boolean {
  if (field.through) return true;
  const foreignKey = registry.table(field.target).fields.get(field.foreignKey ?? '');
  return !foreignKey || !isStored(foreignKey) || !foreignKey.nullable;
}
