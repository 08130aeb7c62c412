import { LRUCache } from 'lru-cache';
import { memory } from '../support';

/** How often garbage is collected, so that it does not make the process grow. */
const SWEEPS = 10;
/** Megabytes that the process may keep in addition to the cached values. */
const SLACK = 300;
/** The owner of a cache, and how to add one more entry, different from all others. */
export interface Filling {
  readonly owner: object;
  readonly add: (number: number) => unknown;
}

/** The caches that an object holds, directly or through other objects. */
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

/**
 * Tries up to three times: other memory of the process may change by chance, but a cache that is too large is so each
 * time.
 */
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
  // The fullest cache has no room for another entry.
  expect(Math.max(...shares)).toBeGreaterThan(0.8);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(grown.kept).toBeLessThan(most);
  expect(grown.rss).toBeLessThan(most + SLACK);
}
