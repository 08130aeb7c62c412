/** How many values there are in a value, lists and objects counted as well; it stops counting beyond the bound. */
export function countValues(value: unknown, bound: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value) as unknown[]) {
    if (count > bound) break;
    count += countValues(member, bound - count);
  }
  return count;
}
