import { InvalidPayload } from '../../../common/errors';
import type { Key } from '../../hooks';
import { fieldsBeside } from '../../registry/stored-collection';
import type { CollectionPlanning } from '../collection-write';
import { readOne } from './list-payload';
import type { CheckedPayload } from './payload';
import type { Membership } from './plan';

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
