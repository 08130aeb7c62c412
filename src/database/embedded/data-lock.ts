import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock as guard } from 'proper-lockfile';
import { StartupError } from '../../config/startup-error';

const HEARTBEAT = 2_000;
const SILENCE = 10_000;
/** A guard file untouched for this long was left by a crash; waiting processes wait longer. */
const GUARD_SILENCE = 5_000;
const GUARD_RETRY = 100;
const GUARD_RETRIES = 120;

interface Holder {
  id: string;
  pid: number;
  host: string;
  /** Where the process id is valid: containers may share a host name without sharing processes. */
  place: string | undefined;
  /** The start time of the process, in kernel ticks: distinguishes a holder from a later process with the same id. */
  began: string | undefined;
}

/**
 * Allows one process at a time on a data folder: two would overwrite each other's pages. Where the holder's process is
 * visible, its state decides, so that a lock left by `kill -9` does not count; for a holder on another host, or in
 * another container, only the heartbeat counts: after ten seconds without one the lock is free.
 */
export class DataLock {
  private readonly timer: NodeJS.Timeout;
  private lastHeartbeat = Date.now();
  private lost: (sentence: string) => void = () => undefined;

  private constructor(
    private readonly file: string,
    private readonly id: string,
  ) {
    this.timer = setInterval(() => this.writeHeartbeat(), HEARTBEAT);
    this.timer.unref();
  }

  /** Throws a `StartupError` that names the holder while it is alive. `silence` in milliseconds. */
  static async take(file: string, silence = SILENCE): Promise<DataLock> {
    await mkdir(dirname(file), { recursive: true });
    const deadline = Date.now() + silence + HEARTBEAT;
    for (;;) {
      const holder = await replaceIfFree(file, silence);
      if (typeof holder === 'string') return new DataLock(file, holder);
      if (isSeenFromHere(holder) || Date.now() > deadline) throw inUse(file, holder);
      await sleep(HEARTBEAT / 4);
    }
  }

  /** Calls back once another process has taken the lock: this process was silent for too long. */
  onLost(call: (sentence: string) => void): void {
    this.lost = call;
  }

  /** Called before and after each access to the folder: a process that was suspended may have lost the lock. */
  confirm(): void {
    if (Date.now() - this.lastHeartbeat > 2 * HEARTBEAT) this.writeHeartbeat();
  }

  release(): void {
    clearInterval(this.timer);
    if (readHolder(this.file)?.id === this.id) rmSync(this.file, { force: true });
  }

  private writeHeartbeat(): void {
    const holder = readHolder(this.file);
    if (holder !== undefined && holder.id !== this.id) this.lost(lostTo(this.file, holder));
    this.lastHeartbeat = Date.now();
    try {
      utimesSync(this.file, new Date(), new Date());
    } catch {
      // The folder no longer exists, so nothing needs protection.
    }
  }
}

/**
 * The id of our own lock, or the living holder. Guarded, so that of two processes that find a dead holder only one
 * replaces it.
 */
async function replaceIfFree(file: string, silence: number): Promise<string | Holder> {
  const release = await takeGuard(file);
  try {
    const holder = readHolder(file);
    if (holder !== undefined && isAlive(file, holder, silence)) return holder;
    const id = randomUUID();
    const own: Holder = {
      id,
      pid: process.pid,
      host: hostname(),
      place: placeOfProcesses(),
      began: beganAt(process.pid),
    };
    writeFileSync(file, JSON.stringify(own));
    return id;
  } finally {
    await release();
  }
}

async function takeGuard(file: string): Promise<() => Promise<void>> {
  const lockfilePath = `${file}.guard`;
  const wait = { factor: 1, minTimeout: GUARD_RETRY, maxTimeout: GUARD_RETRY };
  try {
    return await guard(dirname(file), {
      lockfilePath,
      stale: GUARD_SILENCE,
      retries: { retries: GUARD_RETRIES, ...wait },
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    throw new StartupError(
      `${lockfilePath} prevents the data folder from being opened. Remove it if no other process is starting.`,
    );
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
  if (!isSeenFromHere(holder)) return Date.now() - statSync(file).mtimeMs < silence;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !hasEnded(holder.pid) && beganAt(holder.pid) === holder.began;
}

const isSeenFromHere = ({ host, place }: Holder): boolean =>
  host === hostname() && place !== undefined && place === placeOfProcesses();

/** The running kernel and its process namespace; on systems other than Linux the host name suffices. */
function placeOfProcesses(): string | undefined {
  if (process.platform !== 'linux') return hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/** Field 3 of /proc/<pid>/stat: a killed process that its parent has not reaped holds nothing any more. */
const hasEnded = (pid: number): boolean => /^[ZX]$/.test(statOf(pid)?.[0] ?? '');

/** Field 22 of /proc/<pid>/stat. Linux only. */
const beganAt = (pid: number): string | undefined => statOf(pid)?.[19];

/** From the third field on: the one before is the command's name, which may contain blanks. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

const lostTo = (file: string, { pid, host }: Holder): string =>
  `The data folder ${dirname(file)} was taken over by process ${pid} on ${host} while this one was suspended.`;

function inUse(file: string, holder: Holder): StartupError {
  return new StartupError(
    `The data folder ${dirname(file)} is in use by process ${holder.pid} on ${holder.host}. ` +
      'Stop that process, or give this one another DATA_DIR or a DATABASE_URL.',
  );
}
