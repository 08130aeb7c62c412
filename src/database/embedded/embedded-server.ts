import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { CHANNEL } from '../broadcast/broadcast';
import type { Storage } from '../storage';
import { DataLock } from './data-lock';

const FORGET_SESSION = [
  ...['DISCARD ALL', "SET TIME ZONE 'UTC'", 'SET DATESTYLE = ISO'],
  // The one session listens for this process, whoever's connection it serves.
  `LISTEN ${CHANNEL}`,
];

/**
 * PostgreSQL inside this process. There is one session; who sends to it holds it until it says that no transaction is
 * open, so that statements of two connections never mix.
 */
export class EmbeddedServer {
  private engine: PGlite | undefined;
  private lock: DataLock | undefined;
  private holder: object | undefined;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly storage: Exclude<Storage, { kind: 'postgres' }>) {}

  async open(): Promise<void> {
    if (this.engine !== undefined) return;
    if (this.storage.kind === 'folder') await this.openFolder(this.storage.path);
    else this.engine = await started(new PGlite({ loadDataDir: this.storage.image }));
  }

  async close(): Promise<void> {
    const engine = this.engine;
    this.engine = undefined;
    await engine?.close();
    this.lock?.release();
    this.lock = undefined;
  }

  /** Calls back for each payload that is told with a COMMIT, before the COMMIT is answered. */
  onNotification(hears: (payload: string) => void): void {
    this.running().onNotification((_channel, payload) => hears(payload));
  }

  /** Everything, as one file that `{kind: 'memory', image}` begins from. */
  async image(): Promise<Blob> {
    return this.running().dumpDataDir('none');
  }

  /** A connection begins: the session forgets what the one before it left. */
  async begin(connection: object): Promise<void> {
    await this.turn(connection);
    try {
      for (const statement of FORGET_SESSION) await this.running().exec(statement);
    } finally {
      this.pass(connection);
    }
  }

  /** Sends whole messages and gives back the whole answer. */
  async send(connection: object, messages: Uint8Array): Promise<Uint8Array> {
    await this.turn(connection);
    let idle = true;
    try {
      const answer = await this.running().execProtocolRaw(messages);
      idle = saysIdle(answer);
      return answer;
    } finally {
      if (idle) this.pass(connection);
    }
  }

  /** A connection is gone: what it left open is undone. */
  async end(connection: object): Promise<void> {
    if (this.holder !== connection) return;
    try {
      await this.engine?.exec('ROLLBACK');
    } finally {
      this.pass(connection);
    }
  }

  private running(): PGlite {
    if (this.engine === undefined) throw new Error('The embedded database is not open');
    return this.engine;
  }

  private async openFolder(path: string): Promise<void> {
    this.lock = await DataLock.take(`${path}.lock`);
    try {
      if (!existsSync(join(path, 'PG_VERSION'))) await initialise(path);
      this.engine = await started(new PGlite(path));
    } catch (error) {
      this.lock.release();
      throw error;
    }
  }

  private async turn(connection: object): Promise<void> {
    while (this.holder !== undefined && this.holder !== connection) {
      await new Promise<void>((resume) => this.waiting.push(resume));
    }
    this.holder = connection;
  }

  private pass(connection: object): void {
    if (this.holder !== connection) return;
    this.holder = undefined;
    this.waiting.shift()?.();
  }
}

async function started(engine: PGlite): Promise<PGlite> {
  await engine.waitReady;
  return engine;
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
  const engine = await started(new PGlite(aside));
  await engine.close();
  await rm(path, { recursive: true, force: true });
  await rename(aside, path);
}

/** The answer's last message is ReadyForQuery with the status «idle». Nothing at all leaves the state as it was. */
function saysIdle(answer: Uint8Array): boolean {
  const last = answer.length - 6;
  return last >= 0 && answer[last] === 0x5a && answer[last + 5] === 0x49;
}
