import { isStored, type ToManyShape } from '../../engine';
import type { Key } from '../hooks';
import type { CollectionPlanning } from './collection-write';
import { askedFor, compareLists, type ListChange } from './list-change';
import type { ListPayload } from './list-payload';
import { lockRows } from './lock-rows';
import { fieldsSent } from './lock-strength';
import { type Link, visibleLinks } from './seen-rows';

/** A list of a stored row that a payload changes. */
interface ChangedList {
  readonly parent: Key;
  readonly field: ToManyShape;
  readonly payload: ListPayload;
}

/**
 * How the payload changes the list. Where it changes rows that hold links, these are locked, and the links are read
 * again: another transaction may just have moved the row to another list.
 */
export async function lockedChange(
  scope: CollectionPlanning,
  { parent, field, payload }: ChangedList,
): Promise<ListChange> {
  const links = await visibleLinks(scope, parent, field, askedFor(payload));
  const change = counted(scope, compareLists(payload, links));
  const holder = scope.registry.table(field.through?.collection ?? field.target);
  // Rows of a view can be neither locked nor written: the plan refuses to.
  if (!holder.entity || holder.view) return change;
  const leaving = change.leaving.map(({ row }) => row);
  const staying = field.through ? [] : updatedIn(payload, links);
  if (leaving.length + staying.length === 0) return change;
  const left = isDeletedOnLeaving(scope, field) ? 'delete' : 'update';
  if (leaving.length > 0) await lockRows(scope, holder, leaving, left, [field.foreignKey ?? '']);
  if (staying.length > 0)
    await lockRows(
      scope,
      holder,
      staying,
      'update',
      fieldsSent(payload.update.map((each) => each.payload)),
    );
  const targets = new Set(links.map(({ target }) => target));
  return compareLists(payload, await visibleLinks(scope, parent, field, [...targets]));
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
