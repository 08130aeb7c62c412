/**
 * Counts the values in a value, lists and objects included. Stops soon after `bound`, so that counting takes no longer
 * however large the value is. It runs for each row of an answer.
 */
export function countValues(value: unknown, bound: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Array.isArray(value) ? countMembers(value, bound) : countNamed(value, bound);
}

function countMembers(list: readonly unknown[], bound: number): number {
  let count = 1;
  for (let at = 0; at < list.length && count <= bound; at += 1)
    count += countValues(list[at], bound - count);
  return count;
}

/** By its names: `for in` is slow on objects without a prototype, as in GraphQL's answers. */
function countNamed(value: object, bound: number): number {
  let count = 1;
  for (const name of Object.keys(value)) {
    if (count > bound) break;
    const member: unknown = (value as Record<string, unknown>)[name];
    count += typeof member === 'object' ? countValues(member, bound - count) : 1;
  }
  return count;
}
