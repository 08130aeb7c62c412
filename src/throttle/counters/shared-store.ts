import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** Where the instances of a service count together. */
export interface SharedStore {
  readonly name: 'redis' | 'database';
  readonly limiter: RateLimiterAbstract;
  /** Ends when it can be used, or after a moment if it cannot. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Which number is too many is decided by who counts. */
export const UNLIMITED = { points: Number.MAX_SAFE_INTEGER, duration: 1 } as const;
