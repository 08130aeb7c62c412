import { performance } from 'node:perf_hooks';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';
import { ClientLeft } from '../../common/errors';
import { nextTurn } from '../../common/next-turn';
import type { ClientStatements } from '../client-statements';
import { breaksConnection } from '../connections';
import { cancelStatement } from './cancel-statement';
import type { BatchSetting, Read } from './read';
import { idleTime } from './statement-times';

/** How much of an answer this process reads in a millisecond; meanwhile it is not idle, and so measures no time. */
const BYTES_PER_MS = 100_000;

interface Entry {
  readonly read: Read;
  wanted: boolean;
}

/** How many statements share a connection. */
const MAX_READS = 16;
/** How long they may wait for one another, in ms, measured by their usual times. */
export const MAX_WAIT = 5;
/**
 * How long a batch that waits for a connection stays open for others, in ms. If there is none, all of them are refused.
 */
const MAX_OPEN = 1_000;
/** How often the running statements are checked, in ms: a shorter statement costs no more than an entry in a set. */
export const CHECK_INTERVAL_MS = 50;

/**
 * Reads that are sent on one connection at once. The server runs them one after another, each in a transaction of its
 * own: one that fails does not concern the others.
 */
export class ReadBatch {
  /** The reads that are not answered yet. */
  private entries: Entry[] = [];
  private expected = 0;
  private client: PoolClient | undefined;
  private readonly opened = performance.now();
  private departed = false;
  private alone = false;
  /** The read that was running at the last check, and the one that was cancelled last. */
  private seen: Entry | undefined;
  private cancelled: Entry | undefined;
  private cancelling: Promise<unknown> | undefined;
  private idleBefore = 0;
  private receivedBefore = 0;
  /** The reason why the connection cannot be reused. */
  private failure: unknown;

  constructor(private readonly setting: BatchSetting) {}

  /** @param milliseconds what the read usually takes */
  accepts(milliseconds: number): boolean {
    const { entries, expected, opened, departed } = this;
    if (departed || performance.now() - opened > MAX_OPEN) return false;
    return entries.length < MAX_READS && expected + milliseconds <= MAX_WAIT;
  }

  add(read: Read, milliseconds: number): void {
    this.entries.push({ read, wanted: true });
    this.expected += milliseconds;
  }

  /**
   * Takes a connection, sends all reads that were added by then, and returns when all are answered.
   * @param admission `open`: it waits for further reads that arrive in this turn of the event loop
   */
  async run(admission: 'open' | 'closed'): Promise<void> {
    try {
      const client = await this.setting.connections.take();
      if (admission === 'open') await nextTurn();
      this.departed = true;
      await this.send(client);
    } catch (error) {
      this.departed = true;
      for (const { read } of this.entries.splice(0)) read.reject(error);
    }
  }

  /**
   * Called at intervals. Where the same statement has been running since the last call, the reads behind it are held
   * up; and it is cancelled if nobody waits for it.
   */
  check(): void {
    const { client, seen } = this;
    const [running, ...behind] = this.entries;
    if (!client || !running) return;
    this.seen = running;
    if (seen !== running) return;
    // A busy process cannot measure the time, having no idle time.
    this.setting.times.note(running.read.kind, CHECK_INTERVAL_MS);
    for (const entry of behind) this.holdUp(entry);
    if (!running.wanted || running.read.signal.aborted) this.cancel(client, running);
  }

  private async send(client: PoolClient): Promise<void> {
    for (const { read } of this.entries) if (read.signal.aborted) read.reject(new ClientLeft({}));
    this.entries = this.entries.filter(({ read }) => !read.signal.aborted);
    if (this.entries.length === 0) return this.setting.connections.giveBack(client);
    this.client = client;
    this.alone = this.entries.length === 1;
    this.idleBefore = idleTime();
    this.receivedBefore = this.received();
    const statements = this.setting.statementsOn(client);
    const stream = client.connection.stream as Writable;
    stream.cork();
    const answers = this.entries.map((entry) => this.follow(client, entry, statements));
    stream.uncork();
    await Promise.all(answers);
  }

  private async follow(
    client: PoolClient,
    entry: Entry,
    statements: ClientStatements,
  ): Promise<void> {
    const { read } = entry;
    read.attempts += 1;
    const answer = await this.answerOf(entry, statements);
    this.note(entry);
    // So that a caller who reads again after the answer finds this connection free.
    if (this.entries.length === 0) await this.giveBack(client);
    if (entry.wanted) answer();
  }

  private async answerOf(entry: Entry, statements: ClientStatements): Promise<() => void> {
    const { read } = entry;
    try {
      const rows = await read.send(statements, () => entry.wanted);
      return () => read.resolve(rows);
    } catch (error) {
      const context = { alone: this.alone, lost: this.failure !== undefined };
      if (breaksConnection(error)) this.failure ??= error;
      return () => this.setting.onFailure(read, error, context);
    }
  }

  private note(entry: Entry): void {
    const idle = idleTime();
    const received = this.received();
    const reading = (received - this.receivedBefore) / BYTES_PER_MS;
    this.setting.times.note(entry.read.kind, idle - this.idleBefore + reading);
    this.idleBefore = idle;
    this.receivedBefore = received;
    this.entries.splice(this.entries.indexOf(entry), 1);
  }

  private received(): number {
    return (this.client?.connection.stream as Socket | undefined)?.bytesRead ?? 0;
  }

  private giveBack(client: PoolClient): Promise<void> | void {
    const { cancelling, setting } = this;
    if (!cancelling) return setting.connections.giveBack(client, this.failure);
    // A late cancellation would hit the next statement.
    return cancelling
      .catch((error: unknown) => (this.failure ??= error))
      .then(() => setting.connections.giveBack(client, this.failure));
  }

  private holdUp(entry: Entry): void {
    if (!entry.wanted) return;
    entry.wanted = false;
    this.setting.onHeldUp(entry.read);
  }

  private cancel(client: PoolClient, entry: Entry): void {
    if (!this.setting.cancels || this.cancelled === entry) return;
    this.cancelled = entry;
    this.cancelling = Promise.all([this.cancelling, cancelStatement(client)]);
    this.cancelling.catch(() => undefined);
  }
}
