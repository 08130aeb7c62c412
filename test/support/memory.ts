import { setImmediate as settle } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MEGABYTE = 1_000_000;

setFlagsFromString('--expose-gc');
const sweep = runInNewContext('gc') as () => void;

/** The memory in use after garbage collection, and the resident memory of the process, in MB. */
export async function memory(): Promise<{ readonly kept: number; readonly rss: number }> {
  await settle();
  sweep();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { kept: (heapUsed + external) / MEGABYTE, rss: rss / MEGABYTE };
}
