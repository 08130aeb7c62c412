import { Forbidden, InvalidPayload } from '../../common/errors';
import { isStored, parseValue } from '../../engine';
import type { Key } from '../write-context';
import type { StoredCollection } from './stored-collection';

/** A key that its column cannot hold belongs to no item. */
export function parseKeys(collection: StoredCollection, sent: readonly unknown[]): Key[] {
  const keys = knownKeys(collection, sent);
  if (keys.length !== sent.length) throw new Forbidden({});
  return keys;
}

/** The keys that an item can have. */
export function knownKeys(collection: StoredCollection, sent: readonly unknown[]): Key[] {
  return sent.flatMap((key) => {
    if (typeof key !== 'string' && typeof key !== 'number') {
      throw new InvalidPayload({ field: collection.key, reason: 'must be a key' });
    }
    return parseKey(collection, key) ?? [];
  });
}

/** A key in its canonical form; undefined where no item of the collection can have it. */
export function parseKey({ fields, key }: StoredCollection, sent: unknown): Key | undefined {
  const field = fields.get(key);
  const parsed = field && isStored(field) ? parseValue(field, sent) : undefined;
  return parsed && 'value' in parsed ? (parsed.value as Key) : undefined;
}
