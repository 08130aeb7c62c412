import type { ToManyShape, ToOneShape } from '../../../engine';
import { InvalidPayload } from '../../../common/errors';
import { listOf } from '../../compile/list-source';
import { fromOf, isOneOf, keyIn, rowsIn } from '../../compile/scope';
import { and } from '../../compile/statement';
import type { Key, Values } from '../../write-context';
import { columnOf, fieldsBeside } from '../../registry/stored-collection';
import { virtualScope, type CollectionWrite } from '../collection-write';
import { MAX_ITEMS } from './selection-body';

/**
 * Looks up the targets of all payloads before the first write, so that no row of a request affects the check of the
 * next. Targets not visible then may be created by the request itself: they are looked up again when their row is
 * written.
 */
export const namesUnseen = async (
  scope: CollectionWrite,
  rows: readonly { readonly values: Values }[],
): Promise<boolean> =>
  (
    await unseenTargets(
      scope,
      rows.map(({ values }) => values),
    )
  ).length > 0;

/**
 * A foreign key in a payload must refer to a row that the caller sees: hidden and missing rows are refused alike.
 * @returns the fields whose targets the caller does not see
 */
export async function unseenTargets(
  scope: CollectionWrite,
  rows: readonly Values[],
): Promise<readonly string[]> {
  const unseen: string[] = [];
  for (const field of scope.collection.fields.values()) {
    if (field.kind !== 'to-one') continue;
    if (isLeftToDatabase(scope, field)) continue;
    const names = fieldsBeside(scope.collection, field.name);
    const keys = rows.flatMap((values) => names.flatMap((name) => asKey(values.get(name))));
    if (!(await areSeen(scope, field.target, keys))) unseen.push(field.name);
  }
  return unseen;
}

/**
 * Whether a missing target is left to the foreign key constraint: for administrators, who see every row, unless the
 * target is of the same collection, where the row could refer to itself.
 */
function isLeftToDatabase(
  { caller, collection, registry }: CollectionWrite,
  { name, target }: ToOneShape,
): boolean {
  if (!caller.administrator || target === collection.name) return false;
  const names = fieldsBeside(collection, name);
  const { table } = registry.table(target);
  return collection.foreignKeys.some(
    (key) => key.table === table && key.field !== undefined && names.includes(key.field),
  );
}

const asKey = (cell: unknown): Key[] =>
  typeof cell === 'string' || typeof cell === 'number' ? [cell] : [];

/** Whether all the keys name rows of the caller's virtual table. */
export async function areSeen(
  { registry, caller, tx }: CollectionWrite,
  collection: string,
  keys: readonly Key[],
): Promise<boolean> {
  const distinct = [...new Set(keys)];
  if (distinct.length === 0) return true;
  const target = registry.table(collection);
  const scope = virtualScope(registry, target, caller);
  const where = and(isOneOf(scope, distinct), rowsIn(scope));
  const { text, values } = scope.statement.compiled(
    `SELECT count(*)::int4 AS seen FROM ${fromOf(scope)} WHERE ${where}`,
  );
  const [row] = await tx.query<{ seen: number }>(text, values);
  return row?.seen === distinct.length;
}

/** A related row that the caller sees, and the row that links it: the junction's, or the related row itself. */
export interface Link {
  readonly target: Key;
  readonly row: Key;
}

/**
 * The rows of a list that the caller sees; hidden ones are never changed.
 * @param named the related rows to look for; without it, all of the list
 * @throws InvalidPayload where there are more than a request may write
 */
export async function visibleLinks(
  scope: CollectionWrite,
  parent: Key,
  field: ToManyShape,
  named?: readonly Key[],
): Promise<Link[]> {
  if (named?.length === 0) return [];
  const { registry, collection, caller, tx } = scope;
  const virtual = virtualScope(registry, collection, caller);
  const key = virtual.statement.bind(parent, columnOf(collection, collection.key).cast);
  const list = listOf(field, virtual, virtual.position, key);
  const where = named ? and(isOneOf(list.inner, named), list.where) : list.where;
  const target = keyIn(list.inner);
  const row = list.junction?.collection.entity ? keyIn(list.junction) : target;
  // Ordered afterwards: ordered by an index, the statement would scan all rows for these few.
  const found = `SELECT ${target} AS target, ${row} AS "row" FROM ${list.from()} WHERE ${where} LIMIT ${MAX_ITEMS + 1}`;
  const { text, values } = virtual.statement.compiled(
    `SELECT target, "row" FROM (${found}) links ORDER BY "row"`,
  );
  const links = await tx.query<Link & Record<string, Key>>(text, values);
  if (links.length > MAX_ITEMS) throw tooLong(field);
  return links;
}

const tooLong = ({ name }: ToManyShape): Error =>
  new InvalidPayload({
    field: name,
    reason: `holds more than ${MAX_ITEMS} related items: say by {create, update, delete} which of them change`,
  });
