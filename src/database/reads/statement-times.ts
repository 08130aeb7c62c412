import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../../common/metrics/metrics';

/** How many bytes of texts are remembered. */
const MAX_BYTES = 1_000_000;
/** Bytes of an entry beside its text. */
const BYTES_OF_ENTRY = 200;
/** The weight of the latest run in the average. */
const LATEST = 0.2;
/** In ms; smaller averages are raised to this, since denormal numbers are slow to calculate with. */
const LEAST = 0.01;

interface Time {
  usual: number;
}

/** How long the database usually takes for each statement, in ms: the moving average of its runs. */
export class StatementTimes {
  private readonly times = new LRUCache<string, Time>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_, text) => BYTES_OF_ENTRY + text.length,
  });

  get sized(): SizedCache {
    return this.times;
  }

  /** Undefined for a statement that has not been run lately. */
  usualOf(text: string): number | undefined {
    return this.times.get(text)?.usual;
  }

  note(text: string, milliseconds: number): void {
    const time = this.times.get(text);
    if (time) time.usual = Math.max(LEAST, time.usual + LATEST * (milliseconds - time.usual));
    else this.times.set(text, { usual: milliseconds });
  }
}

/**
 * For how long this process has been idle, in ms. The difference between two moments is the time of a statement that
 * was running meanwhile; time in which its answer had arrived while the process was busy does not count.
 */
export const idleTime = (): number => performance.eventLoopUtilization().idle;
