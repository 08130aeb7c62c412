import { RequestsExceeded } from '../common/errors';
import { KeyedMutex } from '../common/keyed-mutex';
import type { Counters } from './counters/counters';

const SECOND = 1_000;

export interface GuessRules {
  /** How many wrong ones there may be. */
  readonly limit: number;
  /** For how many milliseconds they count, from the first on; of whole seconds. */
  readonly time: number;
  /** Whether this is how a wrong one ends. Any other failure is no guess. */
  isWrong(error: unknown): boolean;
  /** Whether a right one forgets the wrong ones before it. */
  readonly forgets: boolean;
}

export const exceeded = (wait: number): Error =>
  new RequestsExceeded({ retryAfter: Math.max(1, Math.ceil(wait / SECOND)) });

/**
 * Lets a secret be guessed so often and no oftener, however many try at once and on however many instances: a try counts
 * from before it is made, and is taken back unless it was wrong.
 */
export class Guesses {
  /** Tries under way on this instance, by key; each ends without a fault. */
  private readonly running = new Map<string, Set<Promise<void>>>();
  /** Of those that wait for room one looks, so that many do not all ask the store again with every one that ends. */
  private readonly mutex = new KeyedMutex();

  constructor(private readonly counters: Counters) {}

  /** @throws RequestsExceeded, and whatever the check does */
  async guess<T>(key: string, rules: GuessRules, check: () => Promise<T>): Promise<T> {
    const end = await this.mutex.run(key, () => this.begin(key, rules));
    try {
      const result = await check();
      if (rules.forgets) await this.counters.clear(key);
      else await this.counters.takeBack(key, rules.time);
      return result;
    } catch (error) {
      if (!rules.isWrong(error)) await this.counters.takeBack(key, rules.time);
      throw error;
    } finally {
      end();
    }
  }

  /** Where it is those under way that fill the limit, they may be right yet, and are waited for. */
  private async begin(key: string, { limit, time }: GuessRules): Promise<() => void> {
    for (;;) {
      const { points, wait } = await this.counters.add(key, 1, time);
      if (points <= limit) return this.enter(key);
      const running = this.running.get(key);
      if (!running) throw exceeded(wait);
      await this.counters.takeBack(key, time);
      // They may all have ended meanwhile: a race of none never ends.
      if (running.size > 0) await Promise.race(running);
    }
  }

  private enter(key: string): () => void {
    let leave = (): void => {};
    const over = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const running = this.running.get(key) ?? new Set();
    this.running.set(key, running.add(over));
    return () => {
      running.delete(over);
      if (running.size === 0) this.running.delete(key);
      leave();
    };
  }
}
