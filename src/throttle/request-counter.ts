import { LRUCache } from 'lru-cache';
import { Deadline } from '../common/deadline';
import { KeyedMutex } from '../common/keyed-mutex';
import type { CountedPoints, Counters } from './counters/counters';

interface Batch {
  size: number;
  readonly counted: Promise<CountedPoints>;
}

/** How many keys over their limit are remembered, at about 200 bytes each. */
const MAX_REFUSED = 20_000;

/**
 * Counts requests by key. Requests of one key that arrive during a query of the store are counted together by the next
 * query, so that a busy network costs no more than a quiet one. A key over its limit is refused without a query.
 */
export class RequestCounter {
  /** The requests of each key that the next query will count. */
  private readonly collecting = new Map<string, Batch>();
  private readonly mutex = new KeyedMutex();
  /** Until when the requests of a key are refused. With `max`, room for all of them would be taken at once. */
  private readonly refused = new LRUCache<string, Deadline>({
    maxSize: MAX_REFUSED,
    sizeCalculation: () => 1,
  });

  /** @param windowMs whole seconds */
  constructor(
    private readonly counters: Counters,
    private readonly maxRequests: number,
    private readonly windowMs: number,
  ) {}

  /** @returns for how many milliseconds requests are refused; 0: this one is accepted */
  async take(key: string): Promise<number> {
    const left = this.refused.get(key)?.left ?? 0;
    if (left > 0) return Math.ceil(left);
    const batch = this.collecting.get(key) ?? this.open(key);
    const place = (batch.size += 1);
    const { points, expiresInMs } = await batch.counted;
    const laterInBatch = batch.size - place;
    if (points - laterInBatch <= this.maxRequests) return 0;
    this.refused.set(key, new Deadline(expiresInMs));
    return Math.max(expiresInMs, 1);
  }

  private open(key: string): Batch {
    const batch = { size: 0, counted: this.mutex.run(key, () => this.count(key)) };
    this.collecting.set(key, batch);
    return batch;
  }

  private count(key: string): Promise<CountedPoints> {
    const size = this.collecting.get(key)?.size ?? 1;
    this.collecting.delete(key);
    return this.counters.add(key, size, this.windowMs);
  }
}
