/** The largest number of differing letters, for a name that is long enough. */
const MAX_DISTANCE = 2;

/** The name that was probably meant: `bils` is near `bills`. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const near = known
    .filter((each) => Math.abs(each.length - name.length) <= MAX_DISTANCE)
    .map((each) => ({ each, distance: distanceOf(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, distance }) => distance <= MAX_DISTANCE && distance < each.length / 2)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.each;
}

/** How many letters must be added, removed or replaced. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1];
    for (const [at, other] of Array.from(to).entries()) {
      const changed = (row[at] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
