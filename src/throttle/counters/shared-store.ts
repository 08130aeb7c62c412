import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** A store of counters that several instances share. */
export interface SharedStore {
  readonly name: 'redis' | 'database';
  readonly limiter: RateLimiterAbstract;
  /** Resolves when the store can be used, or after a moment if it cannot. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** Lets a counter end in this many milliseconds, with the points that it has. */
  shorten(key: string, leftMs: number): Promise<void>;
}

/** The caller compares the count with its own limit, so the library's limit is out of reach. */
export const UNLIMITED = { points: Number.MAX_SAFE_INTEGER, duration: 1 } as const;
