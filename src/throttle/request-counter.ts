import { LRUCache } from 'lru-cache';
import { Deadline } from '../common/deadline';
import { KeyedMutex } from '../common/keyed-mutex';
import type { Count, Counters } from './counters/counters';

interface Batch {
  size: number;
  readonly counted: Promise<Count>;
}

/** How many networks over their limit are remembered, at about 200 bytes each. */
const MAX_WAITING = 20_000;

/**
 * Counts requests by key. Requests of one key that arrive during a query of the store are counted together by the next
 * query, so that a busy network costs no more than a quiet one. A key over its limit is refused without a query.
 */
export class RequestCounter {
  private readonly next = new Map<string, Batch>();
  private readonly mutex = new KeyedMutex();
  // With `max`, room for all of them would be taken at once.
  private readonly over = new LRUCache<string, Deadline>({
    maxSize: MAX_WAITING,
    sizeCalculation: () => 1,
  });

  /** @param time in milliseconds, a whole number of seconds */
  constructor(
    private readonly counters: Counters,
    private readonly limit: number,
    private readonly time: number,
  ) {}

  /** @returns for how many milliseconds requests are refused; 0: this one is accepted */
  async take(key: string): Promise<number> {
    const left = this.over.get(key)?.left ?? 0;
    if (left > 0) return Math.ceil(left);
    const batch = this.next.get(key) ?? this.open(key);
    const place = (batch.size += 1);
    const { points, wait } = await batch.counted;
    if (points - batch.size + place <= this.limit) return 0;
    this.over.set(key, new Deadline(wait));
    return Math.max(wait, 1);
  }

  private open(key: string): Batch {
    const batch = { size: 0, counted: this.mutex.run(key, () => this.count(key)) };
    this.next.set(key, batch);
    return batch;
  }

  private count(key: string): Promise<Count> {
    const size = this.next.get(key)?.size ?? 1;
    this.next.delete(key);
    return this.counters.add(key, size, this.time);
  }
}
