import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;
const LOOK_AGAIN = 200;

/** One core for the measured servers, another for the client. */
export function twoCores(): { measured: number; asking: number } {
  const allowed = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  const cores = (allowed ?? '').split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  const [measured, asking] = cores;
  if (measured === undefined || asking === undefined) throw new Error('The bench needs two cores');
  return { measured, asking };
}

/** Pins all threads of this process to one core. */
export function pinSelf(core: number): void {
  execFileSync('taskset', ['-a', '-p', '-c', String(core), String(process.pid)]);
}

/** Seconds of CPU that the process has used, in user and system mode. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the command may contain spaces; the numbers come after its parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Seconds of CPU that each process has used so far; undefined if they are not on this machine. */
export function cpuOfEach(pids: readonly number[]): ReadonlyMap<number, number> | undefined {
  try {
    return new Map(pids.map((pid) => [pid, cpuSeconds(pid)]));
  } catch {
    return undefined;
  }
}

/** Seconds of CPU between two readings; a process that was not in the first one counts from its start. */
export function cpuBetween(
  before: ReadonlyMap<number, number> | undefined,
  after: ReadonlyMap<number, number> | undefined,
): number | undefined {
  if (!before || !after) return undefined;
  return [...after].reduce((sum, [pid, seconds]) => sum + seconds - (before.get(pid) ?? 0), 0);
}

/** Waits until the process is idle: it may still be busy with clients that disconnected at the end of a turn. */
export async function idle(pid: number): Promise<void> {
  let before: number;
  do {
    before = cpuSeconds(pid);
    await pause(LOOK_AGAIN);
  } while (cpuSeconds(pid) - before > 1 / TICKS_PER_SECOND);
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
