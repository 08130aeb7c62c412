import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock as guard } from 'proper-lockfile';
import { StartupError } from '../../config/startup-error';

const HEARTBEAT = 2_000;
const SILENCE = 10_000;

interface Holder {
  id: string;
  pid: number;
  host: string;
  /** When the process began, in the kernel's ticks: tells a holder from a later process with its number. */
  began: string | undefined;
}

/**
 * One process at a time on a data folder: two would overwrite each other's pages. On this host the holder is known by
 * its process, so that a lock left by `kill -9` is void at once; from another host (a shared volume) only its
 * heartbeat shows, so there the lock is waited for until it has been silent for ten seconds.
 */
export class DataLock {
  private readonly heartbeat: NodeJS.Timeout;

  private constructor(
    private readonly file: string,
    private readonly id: string,
  ) {
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT);
    this.heartbeat.unref();
  }

  /** Throws a `StartupError` that names the holder while it lives. `silence` in milliseconds. */
  static async take(file: string, silence = SILENCE): Promise<DataLock> {
    await mkdir(dirname(file), { recursive: true });
    const patience = Date.now() + silence + HEARTBEAT;
    for (;;) {
      const holder = await replaceIfFree(file, silence);
      if (typeof holder === 'string') return new DataLock(file, holder);
      if (holder.host === hostname() || Date.now() > patience) throw inUse(file, holder);
      await sleep(HEARTBEAT / 4);
    }
  }

  release(): void {
    clearInterval(this.heartbeat);
    if (readHolder(this.file)?.id === this.id) rmSync(this.file, { force: true });
  }

  private beat(): void {
    try {
      utimesSync(this.file, new Date(), new Date());
    } catch {
      // The folder is gone, and with it what the lock protects.
    }
  }
}

/** The id of our own lock, or the holder that lives. Guarded: of two that find a dead holder one replaces it. */
async function replaceIfFree(file: string, silence: number): Promise<string | Holder> {
  const release = await guard(dirname(file), {
    lockfilePath: `${file}.guard`,
    stale: 5_000,
    retries: { retries: 60, factor: 1, minTimeout: 50, maxTimeout: 200 },
  });
  try {
    const holder = readHolder(file);
    if (holder !== undefined && isAlive(file, holder, silence)) return holder;
    const id = randomUUID();
    const own: Holder = { id, pid: process.pid, host: hostname(), began: beganAt(process.pid) };
    writeFileSync(file, JSON.stringify(own));
    return id;
  } finally {
    await release();
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(file: string, holder: Holder, silence: number): boolean {
  if (holder.host !== hostname()) return Date.now() - statSync(file).mtimeMs < silence;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: there is such a process, of another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return beganAt(holder.pid) === holder.began;
}

/** Field 22 of /proc/<pid>/stat, counted after the command's name, which may hold blanks. Linux only. */
function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function inUse(file: string, holder: Holder): StartupError {
  return new StartupError(
    `The data folder ${dirname(file)} is in use by process ${holder.pid} on ${holder.host}. ` +
      'Stop that process, or give this one another DATA_DIR or a DATABASE_URL.',
  );
}
