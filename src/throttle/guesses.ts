import { RequestsExceeded } from '../common/errors';
import { KeyedMutex } from '../common/keyed-mutex';
import type { Counters } from './counters/counters';

const SECOND = 1_000;

export interface GuessLimit {
  /** How many wrong guesses are allowed. */
  readonly maxWrong: number;
  /** For how long wrong guesses count, from the first on; whole seconds. */
  readonly windowMs: number;
  /** Whether the error means a wrong guess. Any other error does not count. */
  isWrong(error: unknown): boolean;
  /** Whether a right guess resets the count. */
  readonly resetsOnSuccess: boolean;
}

/** @param waitMs until the next attempt is allowed */
export const requestsExceeded = (waitMs: number): Error =>
  new RequestsExceeded({ retryAfter: Math.max(1, Math.ceil(waitMs / SECOND)) });

/**
 * Limits how often a secret may be guessed, also by many simultaneous requests and on several instances: an attempt is
 * counted before it is made, and the point is taken back unless the guess was wrong.
 */
export class Guesses {
  /** Attempts that are running on this instance, by key; these promises never reject. */
  private readonly running = new Map<string, Set<Promise<void>>>();
  /** Of the attempts that wait, one asks the store for all of them, so that not all do whenever an attempt ends. */
  private readonly mutex = new KeyedMutex();

  constructor(private readonly counters: Counters) {}

  /** @throws RequestsExceeded, and whatever the check does */
  async guess<T>(key: string, limit: GuessLimit, check: () => Promise<T>): Promise<T> {
    const end = await this.mutex.run(key, () => this.begin(key, limit));
    try {
      const result = await check();
      if (limit.resetsOnSuccess) await this.counters.clear(key);
      else await this.counters.takeBack(key, limit.windowMs);
      return result;
    } catch (error) {
      if (!limit.isWrong(error)) await this.counters.takeBack(key, limit.windowMs);
      throw error;
    } finally {
      end();
    }
  }

  /** Where running attempts fill the limit, waits for them: they may still turn out right. */
  private async begin(key: string, { maxWrong, windowMs }: GuessLimit): Promise<() => void> {
    for (;;) {
      const { points, expiresInMs } = await this.counters.add(key, 1, windowMs);
      if (points <= maxWrong) return this.enter(key);
      const running = this.running.get(key);
      if (!running) throw requestsExceeded(expiresInMs);
      await this.counters.takeBack(key, windowMs);
      // All may have ended meanwhile, and `Promise.race([])` never resolves.
      if (running.size > 0) await Promise.race(running);
    }
  }

  private enter(key: string): () => void {
    let end = (): void => {};
    const attempt = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = this.running.get(key) ?? new Set();
    this.running.set(key, running.add(attempt));
    return () => {
      running.delete(attempt);
      if (running.size === 0) this.running.delete(key);
      end();
    };
  }
}
