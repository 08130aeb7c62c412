import type { Queries } from '../queries';

/** Receives what transactions publish. */
export interface Subscriber {
  /** Called once for each message, when every reader can already see the announced change. */
  onMessage(message: string): void;
  /** Messages may have been missed. */
  onGap(): void;
}

/** Shows the committer when everything that the transaction published has been delivered. */
export interface CommitMark {
  /** Sent to the server together with the COMMIT. Returns a row if the transaction has published something. */
  readonly statement: { readonly text: string; readonly values: readonly unknown[] };
  /** Called after such a commit. Ends once this instance has received all that was published, or cannot for now. */
  awaitDelivery(): Promise<void> | void;
}

/** The channel of NOTIFY; a payload is the name of the sending instance and, after a blank, the message. */
export const CHANNEL = 'doorward';

/** Publishes what transactions have changed, by any SQL on any instance: database triggers send the notifications. */
export abstract class Broadcast {
  private readonly subscribers: Subscriber[] = [];
  private readonly losses: (() => void)[] = [];

  /** Whether everything published until a moment ago has been received. */
  abstract get current(): boolean;

  /** @returns undefined where everything published has been received by the time the COMMIT is answered */
  mark(): CommitMark | undefined {
    return undefined;
  }

  /**
   * Ends when this instance receives messages, or cannot for now.
   * @param _pool the pool through which changes are published
   */
  async open(_pool: Queries): Promise<void> {}

  async close(): Promise<void> {}

  subscribe(subscriber: Subscriber): void {
    this.subscribers.push(subscriber);
  }

  /** Calls back whenever the connection to the server is found lost. */
  onLost(call: () => void): void {
    this.losses.push(call);
  }

  protected publishLoss(): void {
    for (const call of this.losses) call();
  }

  /** A payload without a blank has no message: it is an instance's mark or heartbeat. */
  protected publish(payload: string): void {
    const blank = payload.indexOf(' ');
    if (blank === -1) return;
    for (const subscriber of this.subscribers) subscriber.onMessage(payload.slice(blank + 1));
  }

  protected publishGap(): void {
    for (const subscriber of this.subscribers) subscriber.onGap();
  }
}
