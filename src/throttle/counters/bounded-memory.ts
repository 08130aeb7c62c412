import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Each counter uses about 700 bytes. */
const MAX_KEYS = 30_000;

/** A bounded number of counters in memory; the least recently used are evicted. */
export class BoundedMemoryLimiter extends RateLimiterMemory {
  private readonly recentKeys = new LRUCache<string | number, true>({
    // With `max`, room for all of them would be taken at once.
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
    dispose: (_, key, reason) => {
      if (reason === 'evict') void this.delete(key);
    },
  });

  override consume(
    ...[key, ...options]: Parameters<RateLimiterMemory['consume']>
  ): ReturnType<RateLimiterMemory['consume']> {
    this.recentKeys.set(key, true);
    return super.consume(key, ...options);
  }

  override reward(
    ...[key, ...options]: Parameters<RateLimiterMemory['reward']>
  ): ReturnType<RateLimiterMemory['reward']> {
    this.recentKeys.set(key, true);
    return super.reward(key, ...options);
  }
}
