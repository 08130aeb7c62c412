import { randomBytes } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { escapeLiteral } from 'pg';
import type { Tx } from '../database';
import { Broadcast } from './broadcast';
import { Listener } from './listener';

const CHANNEL = 'doorward';
const NAME_BYTES = 9;
const LONGEST_WAIT = 3_000;

/**
 * By NOTIFY, in the transaction itself: it goes out if and only if the transaction is committed. PostgreSQL delivers
 * it in the order of commits, to all who listen, this instance among them, and after what was committed can be read.
 * So a read that begins after the delivery sees the change.
 */
export class PostgresBroadcast extends Broadcast {
  private readonly name = randomBytes(NAME_BYTES).toString('base64url');
  private said = 0;
  private readonly waiting = new Map<string, () => void>();
  /** What came back before the answer to the COMMIT did. */
  private readonly early = new Set<string>();
  private readonly listener: Listener;

  constructor(url: string) {
    super();
    this.listener = new Listener({
      url,
      channel: CHANNEL,
      beat: this.name,
      hears: (payload) => this.hear(payload),
      begins: () => this.tellMissed(),
      ends: () => {
        this.stopWaiting();
        this.tellLost();
      },
    });
  }

  get current(): boolean {
    return this.listener.current;
  }

  override open(): Promise<void> {
    return this.listener.open();
  }

  close(): Promise<void> {
    return this.listener.close();
  }

  say(tx: Tx, message: string): void {
    const tag = `${this.name}.${(this.said += 1)}`;
    tx.atCommit(`NOTIFY ${CHANNEL}, ${escapeLiteral(`${tag} ${message}`)}`);
    tx.afterCommit(() => this.comesBack(tag, message));
  }

  /** Until it comes back, or the listener is lost and nothing is held any more. */
  private comesBack(tag: string, message: string): Promise<void> | void {
    if (this.early.delete(tag)) return;
    // Read past what is held until it is heard again; it may be heard again before this message is.
    if (!this.current) return this.tell(message);
    return new Promise((resolve) => {
      // Said while the listener was away, it never comes, though the answer to the COMMIT came after its return.
      const timer = setTimeout(() => {
        this.waiting.delete(tag);
        this.tell(message);
        resolve();
      }, LONGEST_WAIT);
      this.waiting.set(tag, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private hear(payload: string): void {
    const space = payload.indexOf(' ');
    // The beat of another instance.
    if (space === -1) return;
    this.tell(payload.slice(space + 1));
    const tag = payload.slice(0, space);
    const waiting = this.waiting.get(tag);
    if (this.waiting.delete(tag)) waiting?.();
    else if (tag.startsWith(this.name)) this.early.add(tag);
  }

  private stopWaiting(): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.early.clear();
    for (const resolve of waiting) resolve();
  }
}
