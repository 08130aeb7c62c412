import type { JunctionShape, ToManyShape } from '../../../engine';
import type { CollectionPlanning } from '../collection-write';
import { type ListChange, updatesOf } from './list-change';
import type { Membership, PlannedList, PlannedParent, RowsPlan } from './plan';

/** The row that has a list. */
export type Owner = Omit<Membership, 'foreignKey'>;

/** Many-to-many through a collection: its rows are the links. */
export async function planJunction(
  { related }: CollectionPlanning,
  target: string,
  { collection, foreignKey, targetForeignKey, ...owner }: JunctionShape & Owner,
  change: ListChange,
): Promise<PlannedList[]> {
  const member = { foreignKey, ...owner };
  const lists: PlannedList[] = [];
  const leaving = change.leaving.map(({ row }) => row);
  if (leaving.length > 0) lists.push({ plan: await related.delete(collection, leaving) });
  const updates = updatesOf(change);
  if (updates.length > 0) lists.push({ plan: await related.update(target, updates) });
  const links = [
    ...change.joining.map((key) => ({ [targetForeignKey]: key })),
    ...change.junctionRows,
  ];
  if (links.length > 0) {
    const plan = await related.create(collection, links, [foreignKey], member);
    lists.push({ plan: { ...plan, joins: true }, foreignKey });
  }
  // New related rows, each with its own junction row.
  for (const payload of change.create) {
    const row = await related.create(target, [payload]);
    const link = await related.create(collection, [{}], [foreignKey, targetForeignKey], member);
    lists.push({ plan: withParent(link, { field: targetForeignKey, row }), foreignKey });
  }
  return lists;
}

const withParent = (plan: RowsPlan, parent: PlannedParent): RowsPlan => ({
  ...plan,
  rows: plan.rows.map((row) => ({ ...row, parents: [...row.parents, parent] })),
});

/** A many-to-many whose junction no rule can name: a caller who may write the list may link the rows that they see. */
export async function planImplicit(
  scope: CollectionPlanning,
  field: ToManyShape,
  change: ListChange,
): Promise<PlannedList[]> {
  const { related } = scope;
  const lists: PlannedList[] = [];
  const updates = updatesOf(change);
  if (updates.length > 0) lists.push({ plan: await related.update(field.target, updates) });
  const made =
    change.create.length > 0 ? await related.create(field.target, change.create) : undefined;
  const leaving = change.leaving.map((link) => link.target);
  const { joining } = change;
  const links = { action: 'link', field, joining, leaving, ...(made && { made }) } as const;
  return [...lists, { plan: links }];
}
