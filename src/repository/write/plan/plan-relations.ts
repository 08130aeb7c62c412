import type { Cell, ToManyShape, ToOneShape } from '../../../engine';
import { InvalidForeignKey } from '../../../common/errors';
import type { Key } from '../../write-context';
import { compareLists, type ListChange, updatesOf } from './list-change';
import { readList, readOne } from './list-payload';
import { counted, isDeletedOnLeaving, lockedChange } from './locked-change';
import type { DeletePlan, PlannedList, PlannedParent, PlannedRow, RowsPlan } from './plan';
import { type Owner, planImplicit, planJunction } from './plan-links';
import { takesClientKey, splitByVisibility, withKey } from './client-keys';
import { areSeen, type Link } from './seen-rows';
import type { CollectionPlanning } from '../collection-write';

/**
 * @param parent the row's key; undefined for a new row, which has no lists yet
 * @param own the key that the row has or will have, where it is known
 */
export async function planRelations(
  scope: CollectionPlanning,
  relations: ReadonlyMap<string, unknown>,
  parent: Key | undefined,
  own: Cell | undefined,
): Promise<Pick<PlannedRow, 'parents' | 'lists'>> {
  const parents: PlannedParent[] = [];
  const lists: PlannedList[] = [];
  for (const [name, sent] of relations) {
    const field = scope.collection.fields.get(name);
    if (field?.kind === 'to-one')
      parents.push({ field: name, row: await planOne(scope, field, sent) });
    if (field?.kind === 'to-many')
      lists.push(
        ...(await planList(scope, field, sent, {
          parent,
          own: (own ?? undefined) as Key | undefined,
        })),
      );
  }
  return { parents, lists };
}

/** An object without a key creates the related row, one with a key updates it; either way the row then refers to it. */
async function planOne(
  scope: CollectionPlanning,
  field: ToOneShape,
  sent: unknown,
): Promise<PlannedParent['row']> {
  const target = scope.registry.table(field.target);
  const { key, payload } = readOne(sent, target, field.name);
  const isLink = key !== undefined && Object.keys(payload).length === 0;
  if (!isLink) scope.nested.write(1);
  if (key === undefined) return scope.related.create(field.target, [payload]);
  if (!isLink && takesClientKey(target) && !(await areSeen(scope, field.target, [key])))
    return scope.related.create(field.target, [withKey({ key, payload }, target)]);
  await refuseUnseenKeys(scope, field, [key]);
  if (isLink) return { key };
  return scope.related.update(field.target, [{ keys: [key], payload }]);
}

async function refuseUnseenKeys(
  scope: CollectionPlanning,
  field: ToOneShape | ToManyShape,
  keys: readonly Key[],
): Promise<void> {
  if (await areSeen(scope, field.target, keys)) return;
  throw new InvalidForeignKey({ collection: scope.collection.name, field: field.name });
}

/**
 * Plans the changes of a list. Linking, moving and unlinking are updates of the related row's foreign key, or creates
 * and deletes of the junction's row, under the rules of the collection that holds it.
 */
async function planList(
  scope: CollectionPlanning,
  field: ToManyShape,
  sent: unknown,
  { parent, own }: { readonly parent: Key | undefined; readonly own: Key | undefined },
): Promise<PlannedList[]> {
  const junction = field.through && scope.registry.table(field.through.collection);
  const targetForeignKey = junction?.entity ? field.through?.targetForeignKey : undefined;
  const target = scope.registry.table(field.target);
  const read = readList(sent, field, target, targetForeignKey);
  const payload = Array.isArray(sent) ? await splitByVisibility(scope, target, read) : read;
  const assertSeen = (change: ListChange): Promise<void> =>
    refuseUnseenKeys(
      scope,
      field,
      targetForeignKey === undefined ? change.joining : updatedOf(change),
    );
  const change =
    parent === undefined
      ? counted(scope, compareLists(payload, []))
      : await lockedChange(scope, { parent, field, payload }, assertSeen);
  await assertSeen(change);
  const owner = { parent: own, isNew: parent === undefined };
  if (!field.through)
    return planChildren(scope, field, change, { ...owner, isWhole: Array.isArray(sent) });
  return targetForeignKey === undefined
    ? planImplicit(scope, field, change)
    : planJunction(scope, field.target, { ...field.through, ...owner }, change);
}

/**
 * Of the rows that join a list, those whose own fields change. The others are looked up when their junction's row is
 * written: the request itself may make them.
 */
function updatedOf({ joining, update }: ListChange): readonly Key[] {
  const updated = new Set(update.map(({ key }) => key));
  return joining.filter((key) => updated.has(key));
}

/**
 * One-to-many: the related rows hold our key. Of the rows that are sent as members, only those that already are, and
 * are sent under `update`, may name another parent: they move there.
 */
async function planChildren(
  scope: CollectionPlanning,
  field: ToManyShape,
  change: ListChange,
  { isWhole, ...owner }: Owner & { readonly isWhole: boolean },
): Promise<PlannedList[]> {
  const { related } = scope;
  const [target, foreignKey] = [field.target, field.foreignKey ?? ''];
  const member = { foreignKey, ...owner };
  const updates = updatesOf(change);
  const joining = new Set(change.joining);
  const updated = new Set(updates.map(({ key }) => key));
  const staying = updates.filter(({ key }) => !joining.has(key));
  const kept = change.attach.filter((key) => !joining.has(key) && !updated.has(key));
  related.keep(target, kept, foreignKey);
  const joined = [
    ...change.joining
      .filter((key) => !updated.has(key))
      .map((key) => ({ keys: [key], payload: {} })),
    ...updates.filter(({ key }) => joining.has(key)),
  ];
  const lists: PlannedList[] = [];
  if (change.leaving.length > 0)
    lists.push({ plan: await planLeaving(scope, field, change.leaving) });
  if (staying.length > 0)
    lists.push({ plan: await related.update(target, staying, [], isWhole ? member : undefined) });
  if (joined.length > 0)
    lists.push({ plan: await related.update(target, joined, [foreignKey], member), foreignKey });
  if (change.create.length > 0)
    lists.push({
      plan: await related.create(target, change.create, [foreignKey], member),
      foreignKey,
    });
  return lists;
}

function planLeaving(
  scope: CollectionPlanning,
  field: ToManyShape,
  leaving: readonly Link[],
): Promise<RowsPlan | DeletePlan> {
  const keys = leaving.map(({ target }) => target);
  if (isDeletedOnLeaving(scope, field)) return scope.related.delete(field.target, keys);
  return scope.related.update(field.target, [
    { keys, payload: { [field.foreignKey ?? '']: null } },
  ]);
}
