import { randomBytes } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { Broadcast, CHANNEL, type CommitMark } from './broadcast';
import type { Queries } from '../queries';
import { Listener } from './listener';

const NAME_BYTES = 9;
const MAX_WAIT = 3_000;
/** The triggers that publish a change of rights set this for the rest of their transaction. */
const MARK = `SELECT pg_notify('${CHANNEL}', $1) WHERE current_setting('doorward.told', true) = 'yes'`;

/**
 * By NOTIFY inside the transaction: it is sent if and only if the transaction commits. PostgreSQL delivers
 * notifications in the order of commits, to all listeners, including this instance, after the commit is visible. So a
 * read that begins after the delivery sees the change; and an instance that has received its own mark has received
 * everything before it.
 */
export class PostgresBroadcast extends Broadcast {
  private readonly name = randomBytes(NAME_BYTES).toString('base64url');
  private marked = 0;
  private readonly waiting = new Map<string, () => void>();
  /** Marks that came back before the answer to the COMMIT. */
  private readonly early = new Set<string>();
  private readonly listener: Listener;
  private pool: Queries | undefined;

  constructor(url: string) {
    super();
    this.listener = new Listener({
      url,
      channel: CHANNEL,
      heartbeat: this.name,
      publish: async (payload) => this.pool?.query(`SELECT pg_notify('${CHANNEL}', $1)`, [payload]),
      onMessage: (payload) => this.receive(payload),
      onConnected: () => this.publishGap(),
      onDisconnected: () => {
        this.stopWaiting();
        this.publishLoss();
      },
    });
  }

  get current(): boolean {
    return this.listener.current;
  }

  override open(pool: Queries): Promise<void> {
    this.pool = pool;
    return this.listener.open();
  }

  override close(): Promise<void> {
    return this.listener.close();
  }

  /** The triggers record that they published something: without that there is nothing to wait for. */
  override mark(): CommitMark {
    const tag = `${this.name}.${(this.marked += 1)}`;
    return {
      statement: { text: MARK, values: [tag] },
      awaitDelivery: () => this.comesBack(tag),
    };
  }

  /** Waits until the mark comes back, or until the listener is lost and nothing is cached any more. */
  private comesBack(tag: string): Promise<void> | void {
    if (this.early.delete(tag)) return;
    // Caches are bypassed until the listener is back, which may be before this mark is.
    if (!this.current) return this.publishGap();
    return new Promise((resolve) => {
      // A mark sent while the listener was away never arrives, even if the COMMIT was answered after its return.
      const timer = setTimeout(() => {
        this.waiting.delete(tag);
        this.publishGap();
        resolve();
      }, MAX_WAIT);
      this.waiting.set(tag, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private receive(payload: string): void {
    this.publish(payload);
    const waiting = this.waiting.get(payload);
    if (this.waiting.delete(payload)) waiting?.();
    else if (payload.startsWith(`${this.name}.`)) this.early.add(payload);
  }

  private stopWaiting(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.early.clear();
    for (const resolve of waiting) resolve();
  }
}
