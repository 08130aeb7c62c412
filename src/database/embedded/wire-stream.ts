import { Duplex } from 'node:stream';
import { nextTurn } from '../../common/next-turn';
import { CANCEL_REQUEST } from '../reads/cancel-statement';
import type { EmbeddedServer } from './embedded-server';

/** Bytes of a message before its content: its type, and its length without the type. */
const HEADER = 5;
/** The server answers after these: Sync, Query, Flush, CopyDone, CopyFail. */
const ANSWERED = new Set(['S', 'Q', 'H', 'c', 'f'].map((type) => type.charCodeAt(0)));
/** Milliseconds for which statements may run in a row before other work gets a turn. */
const MAX_TURN = 10;
const TERMINATE = 'X'.charCodeAt(0);

/**
 * A stream that `pg` uses as a socket to the embedded server. It speaks PostgreSQL's protocol: messages are collected
 * until one that the server answers, then sent together.
 */
export class WireStream extends Duplex {
  /** What is not sent yet: no message that the server answers has followed it. */
  private pending: Buffer[] = [];
  /** Whether the startup message, which has no type, has been sent. */
  private started = false;
  /** When other work had its last turn, by `performance.now()`. */
  private lastTurn = 0;

  constructor(private readonly server: EmbeddedServer) {
    super({ emitClose: true, autoDestroy: true });
  }

  connect(): this {
    this.server.begin(this).then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed as they arrive.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.pending.push(chunk);
    this.deliver().then(() => done(), done);
  }

  override _final(done: (error?: Error) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.server.end(this).then(
      () => done(error),
      (failure: Error) => done(error ?? failure),
    );
  }

  private async deliver(): Promise<void> {
    const data = this.pending.length === 1 ? this.pending[0] : Buffer.concat(this.pending);
    if (data === undefined) return;
    const { sendable, terminates } = this.measure(data);
    this.pending = sendable < data.length || sendable === 0 ? [data.subarray(sendable)] : [];
    if (sendable > 0) await this.exchange(data.subarray(0, sendable));
    if (terminates) this.push(null);
  }

  private async exchange(messages: Buffer): Promise<void> {
    await this.letOthersIn();
    const answer = await this.server.send(this, messages);
    // Destroyed while it waited for its turn: no one else ends what it began.
    if (this.destroyed) await this.server.end(this);
    else this.push(answer);
  }

  /** A statement here waits for nothing outside this process: thousands of them would run in one turn. */
  private async letOthersIn(): Promise<void> {
    if (performance.now() - this.lastTurn < MAX_TURN) return;
    await nextTurn();
    this.lastTurn = performance.now();
  }

  /** How many bytes end with a message that the server answers, and whether the client terminates after them. */
  private measure(data: Buffer): { sendable: number; terminates: boolean } {
    let sendable = 0;
    let at = 0;
    if (!this.started) {
      at = this.startupLength(data);
      sendable = at;
    }
    while (this.started && at + HEADER <= data.length) {
      const next = at + 1 + data.readInt32BE(at + 1);
      if (data[at] === TERMINATE) return { sendable, terminates: true };
      if (next > data.length) break;
      if (ANSWERED.has(data[at] ?? 0)) sendable = next;
      at = next;
    }
    return { sendable, terminates: false };
  }

  /** The length of the startup message, which has no type; 0 while it is incomplete. */
  private startupLength(data: Buffer): number {
    if (data.length < 8) return 0;
    const length = data.readInt32BE(0);
    if (data.length < length) return 0;
    // A cancel request from another connection; here a statement has ended before one can arrive.
    if (data.readInt32BE(4) === CANCEL_REQUEST) this.destroy();
    this.started = true;
    return length;
  }
}
