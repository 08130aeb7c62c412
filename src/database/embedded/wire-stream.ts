import { Duplex } from 'node:stream';
import { nextTurn } from '../../common/next-turn';
import { CANCEL_REQUEST } from '../reads/cancel-statement';
import type { EmbeddedServer } from './embedded-server';

const HEADER = 5;
/** The server answers after these: Sync, Query, Flush, CopyDone, CopyFail. */
const ANSWERED = new Set(['S', 'Q', 'H', 'c', 'f'].map((type) => type.charCodeAt(0)));
/** Milliseconds for which statements may run in a row before other work gets a turn. */
const MAX_TURN = 10;
const TERMINATE = 'X'.charCodeAt(0);

/**
 * A stream that `pg` uses as a socket. Messages are collected until one that the server answers, then sent together.
 */
export class WireStream extends Duplex {
  private received: Buffer[] = [];
  private started = false;
  private turned = 0;

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
    this.received.push(chunk);
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
    const data = this.received.length === 1 ? this.received[0] : Buffer.concat(this.received);
    if (data === undefined) return;
    const { whole, ends } = this.measure(data);
    this.received = whole < data.length || whole === 0 ? [data.subarray(whole)] : [];
    if (whole > 0) await this.exchange(data.subarray(0, whole));
    if (ends) this.push(null);
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
    if (performance.now() - this.turned < MAX_TURN) return;
    await nextTurn();
    this.turned = performance.now();
  }

  /** How many bytes make up whole batches, and whether the client terminates after them. */
  private measure(data: Buffer): { whole: number; ends: boolean } {
    let whole = 0;
    let at = 0;
    if (!this.started) {
      at = this.startupLength(data);
      whole = at;
    }
    while (this.started && at + HEADER <= data.length) {
      const next = at + 1 + data.readInt32BE(at + 1);
      if (data[at] === TERMINATE) return { whole, ends: true };
      if (next > data.length) break;
      if (ANSWERED.has(data[at] ?? 0)) whole = next;
      at = next;
    }
    return { whole, ends: false };
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
