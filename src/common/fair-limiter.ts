import { ServiceUnavailable } from './errors';

const RETRY_AFTER = 5;

interface Waiter {
  enter(): void;
  refuse(error: Error): void;
}

/**
 * Runs a bounded number of jobs at a time and queues a bounded number, with turns between origins: many jobs of one
 * origin do not delay others, and when the queue is full that origin is refused.
 */
export class FairLimiter {
  private running = 0;
  private waiting = 0;
  /** By origin; the first queue is the next to run. */
  private readonly queues = new Map<string, Waiter[]>();

  /** @param maxQueued how many may wait */
  constructor(
    private readonly concurrency: number,
    private readonly maxQueued: number,
  ) {}

  /**
   * @param requester the origin, for taking turns
   * @throws ServiceUnavailable, at once, when too many are waiting
   */
  async run<T>(work: () => Promise<T>, requester = ''): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.wait(requester);
    try {
      return await work();
    } finally {
      const next = this.next();
      // The slot is passed on directly, so that no newcomer takes it first.
      if (next) next.enter();
      else this.running -= 1;
    }
  }

  private wait(requester: string): Promise<void> {
    if (this.waiting >= this.maxQueued) this.makeRoom(requester);
    return new Promise((enter, refuse) => {
      const queue = this.queues.get(requester) ?? [];
      queue.push({ enter, refuse });
      this.queues.set(requester, queue);
      this.waiting += 1;
    });
  }

  private next(): Waiter | undefined {
    for (const [requester, queue] of this.queues) {
      const waiter = queue.shift();
      this.queues.delete(requester);
      if (queue.length > 0) this.queues.set(requester, queue);
      this.waiting -= 1;
      return waiter;
    }
    return undefined;
  }

  /** Refuses the last job of the origin with most waiting; the new job, if its own origin has as many. */
  private makeRoom(requester: string): void {
    let longest: Waiter[] = [];
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    const busy = new ServiceUnavailable({
      reason: 'too many requests are waiting',
      retryAfter: RETRY_AFTER,
    });
    const own = this.queues.get(requester)?.length ?? 0;
    if (longest.length <= own + 1) throw busy;
    longest.pop()?.refuse(busy);
    this.waiting -= 1;
  }
}
