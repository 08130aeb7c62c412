import { LRUCache } from 'lru-cache';
import { memory } from '../support';

/** How often what nobody holds is swept away, so that the process does not grow by it. */
const SWEEPS = 10;
/** Pages that the process keeps beyond what is cached. */
const SLACK = 300;
/** What has been filled, and how to put one entry more, unlike all others, into it. */
export interface Filling {
  readonly owner: object;
  readonly add: (number: number) => unknown;
}

/** The caches among what an object holds, and among what that holds. */
function cachesIn(owner: object, depth = 3): LRUCache<object, object>[] {
  if (owner instanceof LRUCache) return [owner as LRUCache<object, object>];
  if (depth === 0) return [];
  return Object.values(owner).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null ? cachesIn(value, depth - 1) : [],
  );
}

interface Memory {
  readonly kept: number;
  readonly rss: number;
}

async function growthBy(add: Filling['add'], times: number): Promise<Memory> {
  await add(0);
  const before = await memory();
  for (let number = 1; number <= times; number += 1) {
    await add(number);
    if (number % Math.ceil(times / SWEEPS) === 0) await memory();
  }
  const { kept, rss } = await memory();
  return { kept: Math.round(kept - before.kept), rss: Math.round(rss - before.rss) };
}

/** What else the process keeps may come and go meanwhile: a cache that keeps too much does so each time. */
async function fill(open: () => Filling, times: number, most: number) {
  for (let left = 2; ; left -= 1) {
    const { owner, add } = open();
    const grown = await growthBy(add, times);
    if (left === 0 || (grown.kept < most && grown.rss < most + SLACK)) return { owner, grown };
  }
}

/**
 * Fills a cache more often than it has room for.
 * @param most megabytes that it may keep
 */
export async function expectRoom(
  name: string,
  open: () => Filling,
  times: number,
  most: number,
): Promise<void> {
  const { owner, grown } = await fill(open, times, most);
  console.log(name, grown);
  const shares = cachesIn(owner).map(({ calculatedSize, maxSize }) => calculatedSize / maxSize);
  // The fullest has no room left for one more.
  expect(Math.max(...shares)).toBeGreaterThan(0.8);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(grown.kept).toBeLessThan(most);
  expect(grown.rss).toBeLessThan(most + SLACK);
}
