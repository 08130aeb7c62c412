import type { BoundFilter } from '../../../engine';
import { InvalidPayload } from '../../../common/errors';
import type { Key } from '../../write-context';
import { fieldsBeside } from '../../registry/stored-collection';
import { judgedFilters } from '../judge/judged-filters';
import type { CollectionPlanning, CollectionWrite } from '../collection-write';
import { readOne } from './list-payload';
import type { CheckedPayload } from './payload';
import type { Membership } from './plan';
import { areSeen } from './seen-rows';

/**
 * A row of a list may name the row that has the list, by its key or by an object with nothing else.
 * @returns the payload without it
 * @throws InvalidPayload where it names another, or none
 */
export function withoutParent(
  checked: CheckedPayload,
  { foreignKey, parent }: Membership,
  scope: CollectionPlanning,
): CheckedPayload {
  const { collection } = scope;
  const names = fieldsBeside(collection, foreignKey);
  const sent = names.filter((name) => checked.values.has(name) || checked.relations.has(name));
  if (sent.length === 0) return checked;
  for (const name of sent) {
    const key = checked.values.get(name) ?? keyAlone(name, checked.relations.get(name), scope);
    if (parent === undefined || key === undefined || `${key as Key}` !== String(parent))
      throw new InvalidPayload({ field: name, reason: 'is set by the list' });
  }
  const others = <T>(cells: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...cells].filter(([name]) => !sent.includes(name)));
  return { ...checked, values: others(checked.values), relations: others(checked.relations) };
}

/**
 * The foreign keys with which new members refer to a row that the caller does not see. They are looked for only where
 * some rule leads through them.
 */
export async function hiddenOwner(
  scope: CollectionWrite,
  linked: readonly string[],
  membership: Membership | undefined,
): Promise<readonly string[]> {
  const { collection, decision } = scope;
  if (!membership || membership.isNew || decision.unrestricted) return [];
  const { foreignKey, parent } = membership;
  const field = collection.fields.get(foreignKey);
  if (field?.kind !== 'to-one' || parent === undefined || !linked.includes(foreignKey)) return [];
  const names = fieldsBeside(collection, foreignKey);
  if (!judgedFilters(decision).some((filter) => leadsThrough(filter, names))) return [];
  return (await areSeen(scope, field.target, [parent])) ? [] : names;
}

function leadsThrough(filter: BoundFilter, names: readonly string[]): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.of.some((member) => leadsThrough(member, names));
    case 'to-one':
      return names.includes(filter.field.name);
    case 'to-many':
    case 'leaf':
      return false;
  }
}

/** The key of an object that holds nothing else. */
function keyAlone(
  name: string,
  sent: unknown,
  { collection, registry }: CollectionPlanning,
): Key | undefined {
  const field = collection.fields.get(name);
  if (sent === undefined || field?.kind !== 'to-one') return undefined;
  const { key, payload } = readOne(sent, registry.table(field.target), name);
  return Object.keys(payload).length === 0 ? key : undefined;
}
