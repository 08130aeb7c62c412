import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';
import { ClientLeft } from '../../common/errors';
import { nextTurn } from '../../common/next-turn';
import type { DisconnectSignal } from '../../common/request/disconnect-signal';
import type { ClientStatements } from '../client-statements';
import { breaksConnection, type Connections } from '../connections';
import { cancelStatement } from './cancel-statement';
import { idleTime, type StatementTimes } from './statement-times';

/** A statement that only reads, and who waits for its rows. */
export interface Read {
  readonly text: string;
  readonly signal: DisconnectSignal;
  /** How often it was sent. */
  attempts: number;
  /** @param isWanted says no once the rows come too late: the read was sent again elsewhere */
  send(client: ClientStatements, isWanted: () => boolean): Promise<unknown>;
  resolve(rows: unknown): void;
  reject(error: unknown): void;
}

/** What a read's failure may have to do with the others of its batch. */
export interface FailedIn {
  /** Whether it had a batch to itself. */
  readonly alone: boolean;
  /** Whether the connection was lost before its turn. */
  readonly lost: boolean;
}

export interface BatchSetting {
  readonly connections: Connections;
  readonly times: StatementTimes;
  /** Whether the server can cancel a running statement. */
  readonly cancels: boolean;
  readonly on: (client: PoolClient) => ClientStatements;
  onFailure(read: Read, error: unknown, how: FailedIn): void;
  /** Called for a read that waits behind a long one. */
  onHeldUp(read: Read): void;
}

interface Entry {
  readonly read: Read;
  wanted: boolean;
}

/** How many statements share a connection. */
const MAX_READS = 16;
/** For how long they wait for one another, by what each of them usually takes, in ms. */
export const MAX_WAIT = 5;

/**
 * Reads that are sent on one connection at once. The server runs them one after another, each in a transaction of its
 * own: one that fails does not concern the others.
 */
export class ReadBatch {
  private entries: Entry[] = [];
  private expected = 0;
  private client: PoolClient | undefined;
  private departed = false;
  /** How many have been answered: the next one is running. */
  private answered = 0;
  /** Which one was running at the last look, and which was cancelled last. */
  private seen = -1;
  private cancelled = -1;
  private cancelling: Promise<unknown> | undefined;
  private idleBefore = 0;
  /** Why the connection cannot be used again. */
  private failure: unknown;

  constructor(private readonly setting: BatchSetting) {}

  /** @param milliseconds what the read usually takes */
  accepts(milliseconds: number): boolean {
    const { entries, expected, departed } = this;
    return !departed && entries.length < MAX_READS && expected + milliseconds <= MAX_WAIT;
  }

  add(read: Read, milliseconds: number): void {
    this.entries.push({ read, wanted: true });
    this.expected += milliseconds;
  }

  /**
   * Takes a connection and sends everything that was added by then. Ends when all is answered.
   * @param open whether to wait for what else arrives in this turn of the event loop
   */
  async run(open: boolean): Promise<void> {
    try {
      const client = await this.setting.connections.take();
      if (open) await nextTurn();
      this.departed = true;
      await this.send(client);
    } catch (error) {
      this.departed = true;
      for (const { read } of this.entries) read.reject(error);
    }
  }

  /**
   * Called from time to time. Where the same statement has been running since the last call, those behind it are held
   * up; and it is cancelled if nobody waits for it.
   */
  look(): void {
    const { client, answered } = this;
    const entry = this.entries[answered];
    if (!client || !entry) return;
    const isLong = this.seen === answered;
    this.seen = answered;
    if (!isLong) return;
    for (const behind of this.entries.slice(answered + 1)) this.holdUp(behind);
    if (!entry.wanted || entry.read.signal.aborted) this.cancel(client);
  }

  private async send(client: PoolClient): Promise<void> {
    for (const { read } of this.entries) if (read.signal.aborted) read.reject(new ClientLeft({}));
    this.entries = this.entries.filter(({ read }) => !read.signal.aborted);
    this.client = client;
    this.idleBefore = idleTime();
    const statements = this.setting.on(client);
    const stream = client.connection.stream as Writable;
    stream.cork();
    const answers = this.entries.map((entry) => this.follow(entry, statements));
    stream.uncork();
    await Promise.all(answers);
    // Before the connection is lent again: a late cancellation would hit the next statement.
    await this.cancelling?.catch((error: unknown) => (this.failure ??= error));
    this.setting.connections.giveBack(client, this.failure);
  }

  private async follow(entry: Entry, statements: ClientStatements): Promise<void> {
    const { read } = entry;
    read.attempts += 1;
    try {
      const rows = await read.send(statements, () => entry.wanted);
      this.note(read);
      if (entry.wanted) read.resolve(rows);
    } catch (error) {
      this.note(read);
      const how = { alone: this.entries.length === 1, lost: this.failure !== undefined };
      if (breaksConnection(error)) this.failure ??= error;
      if (entry.wanted) this.setting.onFailure(read, error, how);
    }
  }

  private note({ text }: Read): void {
    const idle = idleTime();
    this.setting.times.note(text, idle - this.idleBefore);
    this.idleBefore = idle;
    this.answered += 1;
  }

  private holdUp(entry: Entry): void {
    if (!entry.wanted) return;
    entry.wanted = false;
    this.setting.onHeldUp(entry.read);
  }

  private cancel(client: PoolClient): void {
    if (!this.setting.cancels || this.cancelled === this.answered) return;
    this.cancelled = this.answered;
    this.cancelling = Promise.all([this.cancelling, cancelStatement(client)]);
    this.cancelling.catch(() => undefined);
  }
}
