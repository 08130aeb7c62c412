import { ServiceUnavailable } from './errors';

const RETRY_AFTER = 5;

interface Waiter {
  enter(): void;
  refuse(error: Error): void;
}

interface FairLimits {
  /** How many jobs run at a time. */
  readonly concurrency: number;
  /** How many may wait. */
  readonly maxQueued: number;
  /** How many of one origin run at a time; by default as many as run at all. */
  readonly perRequester?: number;
  /** How long a job may wait, in ms; by default until its turn comes. */
  readonly maxWait?: number;
}

/**
 * Runs a bounded number of jobs at a time and queues a bounded number, with turns between origins: many jobs of one
 * origin do not delay others, and when the queue is full that origin is refused.
 */
export class FairLimiter {
  private running = 0;
  private waiting = 0;
  /** How many run of each origin; an origin of which none runs has no entry. */
  private readonly runningOf = new Map<string, number>();
  /** By origin; the first queue is the next to run. */
  private readonly queues = new Map<string, Waiter[]>();

  constructor(private readonly limits: FairLimits) {}

  /**
   * @param requester the origin, for taking turns
   * @throws ServiceUnavailable when too many are waiting, or it has waited for too long
   */
  async run<T>(work: () => Promise<T>, requester = ''): Promise<T> {
    if (this.running < this.limits.concurrency && this.hasShareFor(requester)) {
      this.begin(requester);
    } else await this.wait(requester);
    try {
      return await work();
    } finally {
      this.end(requester);
      // The slot is passed on directly, so that no newcomer takes it first.
      this.next();
    }
  }

  /** How many wait for their turn. */
  get queued(): number {
    return this.waiting;
  }

  private hasShareFor(requester: string): boolean {
    const { concurrency, perRequester = concurrency } = this.limits;
    return (this.runningOf.get(requester) ?? 0) < perRequester;
  }

  private begin(requester: string): void {
    this.running += 1;
    this.runningOf.set(requester, (this.runningOf.get(requester) ?? 0) + 1);
  }

  private end(requester: string): void {
    this.running -= 1;
    const left = (this.runningOf.get(requester) ?? 0) - 1;
    if (left > 0) this.runningOf.set(requester, left);
    else this.runningOf.delete(requester);
  }

  private wait(requester: string): Promise<void> {
    if (this.waiting >= this.limits.maxQueued) this.makeRoom(requester);
    return new Promise((resolve, reject) => {
      const timer = this.giveUpLater(() => this.leave(requester, waiter));
      const waiter: Waiter = {
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const queue = this.queues.get(requester) ?? [];
      queue.push(waiter);
      this.queues.set(requester, queue);
      this.waiting += 1;
    });
  }

  private giveUpLater(leave: () => void): NodeJS.Timeout | undefined {
    const { maxWait } = this.limits;
    return maxWait === undefined ? undefined : setTimeout(leave, maxWait);
  }

  private leave(requester: string, waiter: Waiter): void {
    const queue = this.queues.get(requester) ?? [];
    queue.splice(queue.indexOf(waiter), 1);
    if (queue.length === 0) this.queues.delete(requester);
    this.waiting -= 1;
    waiter.refuse(busy());
  }

  private next(): void {
    for (const [requester, queue] of this.queues) {
      if (!this.hasShareFor(requester)) continue;
      const waiter = queue.shift();
      this.queues.delete(requester);
      if (queue.length > 0) this.queues.set(requester, queue);
      this.waiting -= 1;
      this.begin(requester);
      waiter?.enter();
      return;
    }
  }

  /** Refuses the last job of the origin with most waiting; the new job, if its own origin has as many. */
  private makeRoom(requester: string): void {
    let longest: Waiter[] = [];
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    const own = this.queues.get(requester)?.length ?? 0;
    if (longest.length <= own + 1) throw busy();
    longest.pop()?.refuse(busy());
    this.waiting -= 1;
  }
}

const busy = (): Error =>
  new ServiceUnavailable({
    reason: 'too many requests are waiting',
    retryAfter: RETRY_AFTER,
  });
