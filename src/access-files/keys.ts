import { byText } from './canonical';

export const MAX_KEY = 64;
const KEY = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Shorter than a key, to leave room for a number that makes it unique. */
const MAX_SLUG = 56;

export const isKey = (text: string): boolean => text.length <= MAX_KEY && KEY.test(text);

/** A name as a key: `Élan & Co` becomes `elan-co`. Empty for a name without Latin letters and digits. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
}

interface Named {
  readonly id: string;
  readonly name: string;
  /** Null until it has been exported or applied once. */
  readonly key: string | null;
}

/**
 * The key of each row, by its id: the stored one, or else one derived from the name, so that rows with the same name in
 * several databases get the same key.
 * @param kind the key of a row whose name yields an empty key
 */
export function keysOf(rows: readonly Named[], kind: string): Map<string, string> {
  const keys = new Map<string, string>();
  for (const { id, key } of rows) if (key !== null) keys.set(id, key);
  const taken = new Set(keys.values());
  const nameless = rows
    .filter(({ key }) => key === null)
    .toSorted((one, other) => byText(one.name, other.name) || byText(one.id, other.id));
  for (const { id, name } of nameless) {
    const key = freeKey(slugOf(name) || kind, taken);
    taken.add(key);
    keys.set(id, key);
  }
  return keys;
}

function freeKey(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
