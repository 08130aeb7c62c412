import { availableParallelism } from 'node:os';
import { ServiceUnavailable } from './errors';

/** Of the four threads that Node lends for such work one is left for files and the names of hosts. */
const MAX_THREADS = 3;

/** How many passwords are hashed or compared at a time: each keeps a thread busy for tens of milliseconds. */
export const HASHES_AT_ONCE = Math.min(availableParallelism(), MAX_THREADS);

const RETRY_AFTER = 5;

interface Waiter {
  enter(): void;
  refuse(error: Error): void;
}

/**
 * Runs a bounded number of pieces of work at a time and lets a bounded number wait, whoever asks in turn: many from one
 * place do not keep others waiting, and when there is no room left it is they who are refused.
 */
export class FairLimiter {
  private running = 0;
  private waiting = 0;
  /** By who asks; the first of them is the next to be let in. */
  private readonly queues = new Map<string, Waiter[]>();

  /** @param maxQueued how many may wait */
  constructor(
    private readonly concurrency: number,
    private readonly maxQueued: number,
  ) {}

  /**
   * @param requester who asks, as far as taking turns goes
   * @throws ServiceUnavailable, at once, when too many are waiting
   */
  async run<T>(work: () => Promise<T>, requester = ''): Promise<T> {
    if (this.running < this.concurrency) this.running += 1;
    else await this.wait(requester);
    try {
      return await work();
    } finally {
      const next = this.next();
      // The slot is handed on: nobody who comes in this moment gets it first.
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

  /** Whoever has the most waiting gives up the last of them; the one who asks now, if nobody has more. */
  private makeRoom(requester: string): void {
    let longest: Waiter[] = [];
    for (const queue of this.queues.values()) if (queue.length > longest.length) longest = queue;
    const busy = new ServiceUnavailable({ reason: 'too many wait', retryAfter: RETRY_AFTER });
    const own = this.queues.get(requester)?.length ?? 0;
    if (longest.length <= own + 1) throw busy;
    longest.pop()?.refuse(busy);
    this.waiting -= 1;
  }
}
