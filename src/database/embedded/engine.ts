import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite' with {
  'resolution-mode': 'import',
};

const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const COPY_IN = 'G'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** The length, and one letter for the state of the transaction. */
const READY_LENGTH = 6;
const SYNC_LENGTH = 5;
/** The server writes its log in files of 16 MB, and needs the next one to recover. */
const MIN_ROOM = 32_000_000;

export const NO_ROOM = 'there is no room left to write';
const ENDED = 'the embedded database had to be restarted';

/** The engine gave up during its work. Everything it acknowledged is in its files. */
export class EngineEnded extends Error {
  /** @param reason for the caller */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The embedded database failed: ${reason}`, options);
  }
}

/** Loaded only when an engine starts: with a server it is not needed. */
const library = async () => import('@electric-sql/pglite');

/** Each start writes to all of it, 128 MB by default; pages beyond it are in memory anyway. */
const BUFFERS = { memory: '16MB', folder: '32MB' } as const;

/** @param options `dataDir`: its folder; without one its files are in memory */
export async function startEngine(options: PGliteOptions): Promise<PGlite> {
  const { PGlite } = await library();
  const buffers = BUFFERS[options.dataDir === undefined ? 'memory' : 'folder'];
  const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${buffers}`];
  const engine = new PGlite({ ...options, startParams });
  await engine.waitReady;
  return engine;
}

export const openInMemory = (image: Blob | undefined): Promise<PGlite> =>
  startEngine({ loadDataDir: image });

export async function openEngine(path: string): Promise<PGlite> {
  if (!existsSync(join(path, 'PG_VERSION'))) await initialise(path);
  return startEngine({ dataDir: path });
}

/** Created aside and moved into place when complete: a start killed half-way leaves nothing that looks like data. */
async function initialise(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.new-`;
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  const aside = join(folder, `${prefix}${process.pid}`);
  const engine = await startEngine({ dataDir: aside });
  await engine.close();
  await rm(path, { recursive: true, force: true });
  await rename(aside, path);
}

/** A failed engine cannot close itself: its files are closed for it, or they would stay open. */
export function abandonEngine(engine: PGlite): void {
  const { FS } = engine.Module;
  for (const stream of FS.streams) {
    try {
      if (stream !== null && stream !== undefined && stream.fd > 2) FS.close(stream);
    } catch {
      // It cannot be used either way.
    }
  }
}

/** In pieces: for an answer returned at once, the engine keeps every row as long as it runs. */
export async function answerOf(engine: PGlite, messages: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await engine.execProtocolRawStream(messages, {
    // A view of the engine's own memory, so it is copied.
    onRawData: (piece) => void pieces.push(piece.slice()),
  });
  return Buffer.concat(pieces);
}

/** Why an engine failed. */
export async function endingReason(path: string): Promise<string> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize < MIN_ROOM ? NO_ROOM : ENDED;
}

/** Whether an answer is complete: after PANIC or FATAL no message reports that the server is ready. */
export function isWhole(messages: Uint8Array, answer: Uint8Array): boolean {
  if (!asksForReady(messages) || answer[answer.length - READY_LENGTH] === READY) return true;
  for (let at = 0; at < answer.length; at += 1 + lengthAt(answer, at)) {
    if (answer[at] === COPY_IN) return true;
  }
  return false;
}

/** Whether the answer ends with ReadyForQuery in status «idle». An empty answer does not change the state. */
export function isIdle(answer: Uint8Array): boolean {
  const last = answer.length - READY_LENGTH;
  return last >= 0 && answer[last] === READY && answer[last + READY_LENGTH - 1] === IDLE;
}

/**
 * After the startup message every message has its type and length; the startup message is answered like a statement.
 */
function asksForReady(messages: Uint8Array): boolean {
  if (messages[messages.length - SYNC_LENGTH] === SYNC) return true;
  return messages[0] === QUERY || messages[0] === 0;
}

const lengthAt = (answer: Uint8Array, at: number): number =>
  new DataView(answer.buffer, answer.byteOffset).getUint32(at + 1);
