import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import { Logger } from '@nestjs/common';
import { Client, escapeLiteral } from 'pg';
import { DeliveryProbes } from './delivery-probes';

interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  /** The payload of this listener's heartbeat, unique to it. */
  readonly heartbeat: string;
  /** Publishes on the channel in the same way as changes: through the pool. */
  publish(payload: string): Promise<unknown>;
  onMessage(payload: string): void;
  /** It receives messages, initially or again: earlier ones may have been missed. */
  onConnected(): void;
  /** It no longer receives messages. */
  onDisconnected(): void;
}

const HEARTBEAT_INTERVAL = 1_000;
/** Milliseconds without its own heartbeat after which other messages may have been missed. */
const SILENCE = 3_000;
const NOT_DELIVERED =
  'changes that are committed through DATABASE_URL do not arrive; DATABASE_DIRECT_URL must lead to the same database, not through a pooler';
const FIRST_WAIT = 100;
const MAX_WAIT = 5_000;

/** Listens to a channel on its own connection, and reconnects when that breaks or falls silent. */
export class Listener {
  private readonly logger = new Logger('Listener');
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private probeTimer: NodeJS.Timeout | undefined;
  private readonly probes: DeliveryProbes;
  /** Whether this connection has received a message published by the pool. Before that its heartbeat does not count. */
  private proven = false;
  private wait = FIRST_WAIT;
  private closed = false;
  /** When the last received heartbeat was sent: everything committed before it has been received. */
  private received = Number.NEGATIVE_INFINITY;
  private sent = 0;

  constructor(private readonly options: ListenerOptions) {
    this.probes = new DeliveryProbes(options.heartbeat, SILENCE);
  }

  /** Computed on each use, not set by a timer: a process that was stopped for an hour knows before it answers. */
  get current(): boolean {
    return performance.now() - this.received < SILENCE;
  }

  /** Never fails: a connection that cannot be opened is tried again later. */
  async open(): Promise<void> {
    const client = new Client({
      connectionString: this.options.url,
      application_name: 'doorward-listener',
      connectionTimeoutMillis: SILENCE,
      // A heartbeat sent a second after the last one fails just as the silence limit is reached.
      query_timeout: SILENCE - HEARTBEAT_INTERVAL,
      keepAlive: true,
    });
    this.client = client;
    client.on('error', (error) => this.reconnect(client, error));
    client.on('end', () => this.reconnect(client, new Error('the connection was closed')));
    client.on('notification', ({ payload = '' }) => this.receive(client, payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.options.channel}`);
      await this.probe(client);
    } catch (error) {
      this.reconnect(client, error);
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

  /** Repeatedly: the pool may later connect to another server. While the pool is busy, the heartbeat must suffice. */
  private async probe(client: Client): Promise<void> {
    const heard = await this.probes.send((payload) => this.options.publish(payload));
    if (this.client !== client) return;
    if (heard === false) return this.reconnect(client, new Error(NOT_DELIVERED));
    if (heard === true && !this.proven) {
      this.proven = true;
      await this.sendHeartbeat(client);
      if (this.client !== client) return;
    }
    this.probeTimer = this.after(HEARTBEAT_INTERVAL, () => this.probe(client));
  }

  /** Through the channel: a pooler in between may answer statements but pass no notifications on. */
  private async sendHeartbeat(client: Client): Promise<void> {
    if (this.client !== client) return;
    this.sent = performance.now();
    try {
      const { channel, heartbeat } = this.options;
      await client.query(`NOTIFY ${channel}, ${escapeLiteral(heartbeat)}`);
    } catch (error) {
      return this.reconnect(client, error);
    }
    if (this.client !== client) return;
    if (this.received < this.sent - SILENCE) {
      return this.reconnect(client, new Error('it does not receive its own heartbeat'));
    }
    this.timer = this.after(HEARTBEAT_INTERVAL, () => this.sendHeartbeat(client));
  }

  private receive(client: Client, payload: string): void {
    if (this.client !== client || this.probes.receive(payload)) return;
    if (payload !== this.options.heartbeat) return this.options.onMessage(payload);
    const begins = this.received === Number.NEGATIVE_INFINITY;
    this.received = this.sent;
    if (!begins) return;
    if (this.wait > FIRST_WAIT) this.logger.log('Changes by other instances are received again');
    this.wait = FIRST_WAIT;
    this.options.onConnected();
  }

  private reconnect(client: Client, error: unknown): void {
    if (this.client !== client) return;
    this.drop();
    // The connection is given up; closing may hang, so it is not awaited.
    client.end().catch(() => undefined);
    if (this.wait === FIRST_WAIT) {
      this.logger.warn(
        `Nothing is cached while changes by other instances are not received: ${String(error)}`,
      );
    }
    // A random delay, so that many instances do not reconnect at the same moment.
    this.timer = this.after(this.wait * (0.5 + Math.random() / 2), () => this.open());
    this.wait = Math.min(this.wait * 2, MAX_WAIT);
  }

  private drop(): void {
    this.client = undefined;
    this.received = Number.NEGATIVE_INFINITY;
    this.proven = false;
    clearTimeout(this.timer);
    clearTimeout(this.probeTimer);
    this.options.onDisconnected();
  }

  private after(wait: number, next: () => Promise<void>): NodeJS.Timeout | undefined {
    if (this.closed) return undefined;
    return setTimeout(() => void next(), wait).unref();
  }
}
