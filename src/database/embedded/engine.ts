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
/** The server makes its log in files of 16 MB, and needs the next one to recover. */
const MIN_ROOM = 32_000_000;

export const NO_ROOM = 'there is no room left to write';
const ENDED = 'the embedded database had to be started again';

/** The engine gave up in the middle of its work. What it had acknowledged is in its files. */
export class EngineEnded extends Error {
  /** @param reason for whoever asked */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The embedded database gave up: ${reason}`, options);
  }
}

/** Loaded where one is started: whoever has a server has no use for it. */
const library = async () => import('@electric-sql/pglite');

/** All of it is written to at each start, 128 MB by default: and what is not in there is in memory as well. */
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

/** Made aside and moved into place when whole: a start that is killed half-way leaves nothing that looks like data. */
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

/** An engine that gave up can no longer close itself: its files are closed for it, or they would stay open for good. */
export function abandonEngine(engine: PGlite): void {
  const { FS } = engine.Module;
  for (const stream of FS.streams) {
    try {
      if (stream !== null && stream !== undefined && stream.fd > 2) FS.close(stream);
    } catch {
      // It is of no use either way.
    }
  }
}

/** In pieces: of an answer that it gives as a whole the engine keeps every row, for as long as it runs. */
export async function answerOf(engine: PGlite, messages: Uint8Array): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await engine.execProtocolRawStream(messages, {
    // A view of the engine's own memory.
    onRawData: (piece) => void pieces.push(piece.slice()),
  });
  return Buffer.concat(pieces);
}

/** What an engine gave up for. */
export async function endingReason(path: string): Promise<string> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize < MIN_ROOM ? NO_ROOM : ENDED;
}

/** Whether an answer ends as it must: after PANIC or FATAL nothing says that the server is ready for more. */
export function isWhole(messages: Uint8Array, answer: Uint8Array): boolean {
  if (!asksForReady(messages) || answer[answer.length - READY_LENGTH] === READY) return true;
  for (let at = 0; at < answer.length; at += 1 + lengthAt(answer, at)) {
    if (answer[at] === COPY_IN) return true;
  }
  return false;
}

/** The answer's last message is ReadyForQuery with the status «idle». Nothing at all leaves the state as it was. */
export function isIdle(answer: Uint8Array): boolean {
  const last = answer.length - READY_LENGTH;
  return last >= 0 && answer[last] === READY && answer[last + READY_LENGTH - 1] === IDLE;
}

/** After the greeting every message says its type and length; the greeting is answered like a statement. */
function asksForReady(messages: Uint8Array): boolean {
  if (messages[messages.length - SYNC_LENGTH] === SYNC) return true;
  return messages[0] === QUERY || messages[0] === 0;
}

const lengthAt = (answer: Uint8Array, at: number): number =>
  new DataView(answer.buffer, answer.byteOffset).getUint32(at + 1);
