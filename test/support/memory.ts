import { setImmediate as settle } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MEGABYTE = 1_000_000;

setFlagsFromString('--expose-gc');
const sweep = runInNewContext('gc') as () => void;

/** What the process keeps once everything that is not needed is gone, and what the system has given it; in MB. */
export async function memory(): Promise<{ readonly kept: number; readonly rss: number }> {
  await settle();
  sweep();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { kept: (heapUsed + external) / MEGABYTE, rss: rss / MEGABYTE };
}
