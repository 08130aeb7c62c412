/** Counts the values in a value, lists and objects included; stops beyond the bound. */
export function countValues(value: unknown, bound: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value) as unknown[]) {
    if (count > bound) break;
    count += countValues(member, bound - count);
  }
  return count;
}
