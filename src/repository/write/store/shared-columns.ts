import type { Cell } from '../../../engine';
import { type AppError, InvalidPayload } from '../../../common/errors';
import type { Key, Values } from '../../write-context';
import { sharingFields, type StoredCollection } from '../../registry/stored-collection';

/**
 * The values that are written to one row: one per column, under the name of its field.
 * @param layers later layers override earlier ones
 * @param key of an existing row
 * @throws InvalidPayload where a field that shares the key's column would change it
 */
export function mergeLayers(
  layers: readonly Values[],
  collection: StoredCollection,
  key: Key | undefined,
): Values {
  const sharing = sharingFields(collection);
  const sent = new Map<string, Cell>();
  const send = (name: string, cell: Cell): void => {
    const others = sharing.get(name);
    if (!others) return void sent.set(name, cell);
    for (const other of others) sent.delete(other);
    if (!others.includes(collection.key)) sent.set(name, cell);
    else if (key === undefined) sent.set(collection.key, cell);
    else if (`${cell as Key}` !== String(key))
      throw new InvalidPayload({ field: name, reason: 'cannot be changed' });
  };
  for (const layer of layers) for (const [name, cell] of layer) send(name, cell);
  return sent;
}

/** Fields of one column with different sent values. */
export function conflictsIn(
  { values, relations }: { values: Values; relations: ReadonlyMap<string, unknown> },
  collection: StoredCollection,
): readonly AppError[] {
  const all = sharingFields(collection);
  if (all.size === 0) return [];
  const sharing = [...all].filter(([name]) => values.has(name));
  return sharing.flatMap(([field, others]) => {
    const other = others.find(
      (name) => relations.has(name) || (values.has(name) && values.get(name) !== values.get(field)),
    );
    return other === undefined
      ? []
      : [new InvalidPayload({ field, reason: `is stored with ${other}, which is sent as well` })];
  });
}
