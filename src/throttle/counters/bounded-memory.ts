import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Each uses about 700 bytes in all. */
const MAX_KEYS = 30_000;

/** A bounded number of counters in memory: new ones replace those that were not used for longest. */
export class BoundedMemory extends RateLimiterMemory {
  private readonly known = new LRUCache<string | number, true>({
    max: MAX_KEYS,
    dispose: (_, key, reason) => {
      if (reason === 'evict') void this.delete(key);
    },
  });

  override consume(
    ...[key, ...options]: Parameters<RateLimiterMemory['consume']>
  ): ReturnType<RateLimiterMemory['consume']> {
    this.known.set(key, true);
    return super.consume(key, ...options);
  }

  override reward(
    ...[key, ...options]: Parameters<RateLimiterMemory['reward']>
  ): ReturnType<RateLimiterMemory['reward']> {
    this.known.set(key, true);
    return super.reward(key, ...options);
  }
}
