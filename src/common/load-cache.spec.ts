import { LoadCache } from './load-cache';

/** A cache whose loads end when the test says so. */
function cacheOfHeldLoads() {
  const ends: ((value: string) => void)[] = [];
  const cache = new LoadCache<string, string>({
    nameOf: (key) => key,
    load: () => new Promise((resolve) => ends.push(resolve)),
    weigh: (value) => value.length,
    maxBytes: 10_000,
    mayCache: () => true,
  });
  return { cache, ends };
}

type Held = ReturnType<typeof cacheOfHeldLoads>;

describe('a value whose load was running', () => {
  const drops: [string, (cache: Held['cache']) => void][] = [
    ['it was dropped', (cache) => cache.delete('ann')],
    ['everything was dropped', (cache) => cache.clear()],
  ];

  it.each(drops)('when %s is not cached', async (_, drop) => {
    const { cache, ends } = cacheOfHeldLoads();
    const before = cache.get('ann');
    drop(cache);
    ends[0]?.('old');
    expect(await before).toBe('old');
    const after = cache.get('ann');
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    expect(await after).toBe('new');
    expect(await cache.get('ann')).toBe('new');
  });

  it.each(drops)('when %s is not given to who asks later', async (_, drop) => {
    const { cache, ends } = cacheOfHeldLoads();
    const before = cache.get('ann');
    drop(cache);
    const after = cache.get('ann');
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    ends[0]?.('old');
    expect(await Promise.all([before, after])).toEqual(['old', 'new']);
    expect(await cache.get('ann')).toBe('new');
  });

  it('when it was dropped does not end the load that began after it', async () => {
    const { cache, ends } = cacheOfHeldLoads();
    const before = cache.get('ann');
    cache.delete('ann');
    const after = cache.get('ann');
    ends[0]?.('old');
    await before;
    const later = cache.get('ann');
    expect(ends).toHaveLength(2);
    ends[1]?.('new');
    expect(await Promise.all([after, later])).toEqual(['new', 'new']);
  });
});

it('a load that failed is tried again', async () => {
  let loads = 0;
  const cache = new LoadCache<string, string>({
    nameOf: (key) => key,
    load: () => ((loads += 1) === 1 ? Promise.reject(new Error('No')) : Promise.resolve('here')),
    weigh: () => 1,
    maxBytes: 10_000,
    mayCache: () => true,
  });
  await expect(cache.get('ann')).rejects.toThrow('No');
  expect(await cache.get('ann')).toBe('here');
});
