import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';

/** Of about 700 bytes each, with all that belongs to it. */
const MAX_KEYS = 30_000;

/** Counters in memory, of a bounded number: who makes ever new ones pushes out those that were not used for longest. */
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
