import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { BoundedMemoryLimiter } from './bounded-memory';
import { type SharedStore, UNLIMITED } from './shared-store';

const SECOND = 1_000;
/**
 * Milliseconds by which the clocks of instances may be apart. Within it they share a counter: one that shortened it would
 * let the others begin anew.
 */
const APART = 3_600_000;
const NAMES = { redis: 'Redis', database: 'PostgreSQL' } as const;

/** How many points a key has, and when they expire. */
export interface CountedPoints {
  readonly points: number;
  readonly expiresInMs: number;
}

/**
 * Counts by key, each from its first point on for a fixed time. While the shared store cannot keep up or fails, each
 * instance counts in memory: nothing passes uncounted, and no one is refused because of it.
 */
export class Counters implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly memory = new BoundedMemoryLimiter(UNLIMITED);
  private storeLost = false;

  /** @param shared undefined: there is one instance, which counts in memory */
  constructor(private readonly shared: SharedStore | undefined) {}

  get store(): 'memory' | SharedStore['name'] {
    return this.shared?.name ?? 'memory';
  }

  async onModuleInit(): Promise<void> {
    await this.shared?.open();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared?.close();
  }

  /** Asks the store whether the instances currently share their counters: one that is full is read, but not written. */
  async isShared(): Promise<boolean> {
    if (!this.shared) return false;
    await this.onStore((limiter) => limiter.consume('nobody', 0));
    return !this.storeLost;
  }

  /** @param windowMs whole seconds, from the first point on */
  async add(key: string, points: number, windowMs: number): Promise<CountedPoints> {
    const customDuration = windowMs / SECOND;
    const { consumedPoints, msBeforeNext } = await this.onStore((limiter) =>
      limiter.consume(key, points, { customDuration }),
    );
    const isBegunAhead = msBeforeNext > windowMs + APART;
    if (isBegunAhead) await this.shorten(key, windowMs);
    return { points: consumedPoints, expiresInMs: isBegunAhead ? windowMs : msBeforeNext };
  }

  /** Takes back a point that was added a moment ago. */
  async takeBack(key: string, windowMs: number): Promise<void> {
    const customDuration = windowMs / SECOND;
    await this.onStore((limiter) => limiter.reward(key, 1, { customDuration }));
  }

  async clear(key: string): Promise<void> {
    await this.memory.delete(key);
    try {
      // A store that is full still deletes, so this does not tell whether it counts again.
      await this.shared?.limiter.delete(key);
    } catch (error) {
      this.noteLost(error);
    }
  }

  /** A counter that ends so late was begun by a clock that was ahead, and would refuse for as long. */
  private async shorten(key: string, windowMs: number): Promise<void> {
    try {
      await this.shared?.shorten(key, windowMs);
    } catch (error) {
      this.noteLost(error);
    }
  }

  private async onStore<T>(work: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    if (!this.shared) return work(this.memory);
    try {
      const result = await work(this.shared.limiter);
      if (this.storeLost)
        this.logger.warn(`Attempts are counted in ${NAMES[this.shared.name]} again`);
      this.storeLost = false;
      return result;
    } catch (error) {
      this.noteLost(error);
      return work(this.memory);
    }
  }

  /** Logged once until the store is back. */
  private noteLost(error: unknown): void {
    if (this.storeLost || !this.shared) return;
    this.storeLost = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(
      `${NAMES[this.shared.name]} cannot be used; attempts are counted in memory: ${reason}`,
    );
  }
}
