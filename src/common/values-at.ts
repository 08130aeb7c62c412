/** The values that a map holds for these keys, in the order of the keys; keys that it does not hold are left out. */
export function valuesAt<K, V>(map: ReadonlyMap<K, V>, keys: readonly K[]): V[] {
  return keys.map((key) => map.get(key)).filter((value) => value !== undefined);
}
