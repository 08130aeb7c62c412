import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { Logger } from '@nestjs/common';
import { Client, escapeLiteral } from 'pg';

export interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  /** What this listener says to hear itself: nobody else says the same. */
  readonly beat: string;
  hears(payload: string): void;
  /** It hears, at first or again: what was said before it may have missed. */
  begins(): void;
  /** It hears nothing any more. */
  ends(): void;
}

const BEAT_EVERY = 1_000;
/** Milliseconds without hearing itself after which it cannot be known what else it does not hear. */
const SILENCE = 3_000;
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5_000;

/** Listens to a channel on a connection of its own, and opens another when that one breaks or falls silent. */
export class Listener {
  private readonly logger = new Logger('Listener');
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private wait = FIRST_WAIT;
  private closed = false;
  /** When the last beat to come back was sent: everything that was committed before it has been heard. */
  private heard = Number.NEGATIVE_INFINITY;
  private sent = 0;

  constructor(private readonly options: ListenerOptions) {}

  /** Asked at each use, not set by a timer: a process that was stopped for an hour knows before it answers. */
  get current(): boolean {
    return performance.now() - this.heard < SILENCE;
  }

  /** Never fails: what cannot be opened is tried again later. */
  async open(): Promise<void> {
    const client = new Client({
      connectionString: this.options.url,
      application_name: 'doorward-listener',
      connectionTimeoutMillis: SILENCE,
      // A beat that is sent a second after the last one fails when the silence is complete.
      query_timeout: SILENCE - BEAT_EVERY,
      keepAlive: true,
    });
    this.client = client;
    client.on('error', (error) => this.lose(client, error));
    client.on('end', () => this.lose(client, new Error('the connection was closed')));
    client.on('notification', ({ payload = '' }) => this.hear(client, payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.options.channel}`);
      await this.beat(client);
    } catch (error) {
      this.lose(client, error);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    const { client } = this;
    if (!client) return;
    this.drop();
    await client.end();
  }

  /** By way of the channel: a pooler in between may answer statements and yet pass nothing on. */
  private async beat(client: Client): Promise<void> {
    if (this.client !== client) return;
    this.sent = performance.now();
    try {
      const { channel, beat } = this.options;
      await client.query(`NOTIFY ${channel}, ${escapeLiteral(beat)}`);
    } catch (error) {
      return this.lose(client, error);
    }
    if (this.client !== client) return;
    if (this.heard < this.sent - SILENCE) {
      return this.lose(client, new Error('it does not hear itself'));
    }
    this.after(BEAT_EVERY, () => this.beat(client));
  }

  private hear(client: Client, payload: string): void {
    if (this.client !== client) return;
    if (payload !== this.options.beat) return this.options.hears(payload);
    const begins = this.heard === Number.NEGATIVE_INFINITY;
    this.heard = this.sent;
    if (!begins) return;
    if (this.wait > FIRST_WAIT) this.logger.log('Changes by other instances are heard again');
    this.wait = FIRST_WAIT;
    this.options.begins();
  }

  private lose(client: Client, error: unknown): void {
    if (this.client !== client) return;
    this.drop();
    // Whatever else it has to say is of no interest; one that hangs must not be waited for.
    client.end().catch(() => undefined);
    if (this.wait === FIRST_WAIT) {
      this.logger.warn(`Nothing is held while other instances are not heard: ${String(error)}`);
    }
    // Of many instances that lose the same server not all come back in the same moment.
    this.after(this.wait * (0.5 + Math.random() / 2), () => this.open());
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  private drop(): void {
    this.client = undefined;
    this.heard = Number.NEGATIVE_INFINITY;
    clearTimeout(this.timer);
    this.options.ends();
  }

  private after(wait: number, next: () => Promise<void>): void {
    if (this.closed) return;
    this.timer = setTimeout(() => void next(), wait);
    this.timer.unref();
  }
}
