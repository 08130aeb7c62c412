import type { PGlite } from '@electric-sql/pglite' with { 'resolution-mode': 'import' };
import { CHANNEL } from '../broadcast/broadcast';
import { Deadline } from '../../common/deadline';
import type { Storage } from '../storage';
import { DataLock } from './data-lock';
import {
  abandonEngine,
  answerOf,
  EngineEnded,
  isWhole,
  NO_ROOM,
  openEngine,
  openInMemory,
  endingReason,
  isIdle,
  startEngine,
} from './engine';
import { payloadsIn } from './notifications';
import { SessionTurns } from './session-turns';

const FORGET_SESSION = [
  'DISCARD ALL',
  "SET TIME ZONE 'UTC'",
  'SET DATESTYLE = ISO',
  // The only session listens for the whole process, whichever connection it serves.
  `LISTEN ${CHANNEL}`,
];
/** Milliseconds to wait after an engine could not be restarted, before the next attempt. */
const PAUSE = 2_000;

/** Of the current engine, whichever it is. */
interface EngineSubscriber {
  /** Called for each payload of a COMMIT, before the COMMIT is answered. */
  onMessage(payload: string): void;
  /** A failed engine was replaced: its unpublished messages are lost. */
  onGap(): void;
}

/**
 * PostgreSQL inside this process. It has one session; a connection holds it until no transaction is open, so that
 * statements of two connections never mix. A failed engine (PostgreSQL gives up where its log cannot be written) is
 * restarted for the next connection; where that is impossible, the process ends.
 */
export class EmbeddedServer {
  private engine: PGlite | undefined;
  private opened = false;
  private nextStart = new Deadline(0);
  private lock: DataLock | undefined;
  private readonly subscribers: EngineSubscriber[] = [];
  private readonly turns = new SessionTurns();

  constructor(private readonly storage: Exclude<Storage, { kind: 'postgres' }>) {}

  async open(): Promise<void> {
    if (this.opened) return;
    if (this.storage.kind === 'folder') await this.openFolder(this.storage.path);
    else this.engine = await openInMemory(this.storage.image);
    this.opened = true;
  }

  async close(): Promise<void> {
    const engine = this.engine;
    this.engine = undefined;
    this.opened = false;
    await engine?.close();
    this.lock?.release();
    this.lock = undefined;
  }

  subscribe(listener: EngineSubscriber): void {
    this.subscribers.push(listener);
    this.running().onNotification((_channel, payload) => listener.onMessage(payload));
  }

  /** The whole database as one file, from which `{kind: 'memory', image}` starts. */
  async image(): Promise<Blob> {
    return this.running().dumpDataDir('none');
  }

  /** Begins a connection: resets the session. @throws EngineEnded */
  async begin(connection: object): Promise<void> {
    await this.turns.take(connection);
    try {
      await this.startAgain();
      for (const statement of FORGET_SESSION) await this.running().exec(statement);
    } finally {
      this.turns.pass(connection);
    }
  }

  /** Sends whole messages and returns the whole answer. @throws EngineEnded */
  async send(connection: object, messages: Uint8Array): Promise<Uint8Array> {
    await this.turns.take(connection);
    let idle = true;
    try {
      const answer = await this.ask(messages);
      idle = isIdle(answer);
      return answer;
    } finally {
      if (idle) this.turns.pass(connection);
    }
  }

  /** Ends a connection: an open transaction is rolled back. */
  async end(connection: object): Promise<void> {
    if (!this.turns.isHeldBy(connection)) return;
    try {
      await this.engine?.exec('ROLLBACK');
    } finally {
      this.turns.pass(connection);
    }
  }

  private running(): PGlite {
    if (this.engine !== undefined) return this.engine;
    // The connection was opened on the previous engine.
    if (this.opened) throw new EngineEnded('it failed while the connection was open');
    throw new Error('The embedded database is not open');
  }

  private async ask(messages: Uint8Array): Promise<Uint8Array> {
    const engine = this.running();
    this.lock?.confirm();
    let cause: unknown;
    try {
      const answer = await answerOf(engine, messages);
      // Writes after the lock was lost are not acknowledged.
      this.lock?.confirm();
      if (isWhole(messages, answer)) return this.published(answer);
      cause = new Error(Buffer.from(answer).toString('latin1').replaceAll('\0', ' '));
    } catch (error) {
      cause = error;
    }
    throw await this.giveUp(engine, cause);
  }

  private published(answer: Uint8Array): Uint8Array {
    for (const payload of payloadsIn(answer)) {
      for (const listener of this.subscribers) listener.onMessage(payload);
    }
    return answer;
  }

  private async giveUp(engine: PGlite, cause: unknown): Promise<EngineEnded> {
    // We closed it meanwhile ourselves.
    if (this.engine !== engine) return new EngineEnded('it is being closed', { cause });
    this.engine = undefined;
    abandonEngine(engine);
    const { storage } = this;
    if (storage.kind === 'memory') return endProcess('The embedded database failed.', cause);
    return new EngineEnded(await endingReason(storage.path), { cause });
  }

  private async startAgain(): Promise<void> {
    const { storage } = this;
    if (this.engine !== undefined || !this.opened || storage.kind === 'memory') return;
    if (this.nextStart.left > 0) throw new EngineEnded(NO_ROOM);
    this.lock?.confirm();
    let engine: PGlite;
    try {
      engine = await startEngine({ dataDir: storage.path });
    } catch (cause) {
      this.nextStart = new Deadline(PAUSE);
      const reason = await endingReason(storage.path);
      if (reason === NO_ROOM) throw new EngineEnded(reason, { cause });
      endProcess('The embedded database failed, and cannot be restarted.', cause);
    }
    this.engine = engine;
    for (const listener of this.subscribers) {
      engine.onNotification((_channel, payload) => listener.onMessage(payload));
      listener.onGap();
    }
  }

  private async openFolder(path: string): Promise<void> {
    const lock = await DataLock.take(`${path}.lock`);
    lock.onLost((sentence) => endProcess(sentence));
    this.lock = lock;
    try {
      this.engine = await openEngine(path);
    } catch (error) {
      lock.release();
      throw error;
    }
  }
}

/** At once: any further work would be on data that is lost, or now belongs to another process. */
function endProcess(sentence: string, cause?: unknown): never {
  process.stderr.write(`${cause instanceof Error ? `${sentence} ${cause.message}` : sentence}\n`);
  process.exit(1);
}
