/**
 * Caches what is derived from an immutable value, for as long as that value lives.
 * @param derive must depend on nothing but its argument
 */
export function memoize<K extends object, T>(derive: (from: K) => T): (from: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (from) => {
    const found = known.get(from);
    if (found) return found.value;
    const value = derive(from);
    known.set(from, { value });
    return value;
  };
}
