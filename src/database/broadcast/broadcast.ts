import type { Queries } from '../queries';

export interface Subscriber {
  /** Called once for each message, after the change that it announces can be read by everybody. */
  onMessage(message: string): void;
  /** Messages may have been missed. */
  onGap(): void;
}

/** Lets the one who commits know when everything that the transaction published has been delivered. */
export interface CommitMark {
  /** Goes to the server together with the COMMIT. It gives a row if the transaction has published something. */
  readonly statement: string;
  /** Called after such a commit. Ends once this instance has received all that was published, or cannot for now. */
  awaitDelivery(): Promise<void> | void;
}

/** The channel of NOTIFY; payloads are whose SQL it was and, after a blank, the message. */
export const CHANNEL = 'doorward';

/** Publishes what transactions have changed, by whatever SQL and on whichever instance: triggers of the database notify it. */
export abstract class Broadcast {
  private readonly subscribers: Subscriber[] = [];
  private readonly losses: (() => void)[] = [];

  /** Whether everything that was published until a moment ago has been received. */
  abstract get current(): boolean;

  /** @returns nothing where what is published has been received anyway when the COMMIT is answered */
  mark(): CommitMark | undefined {
    return undefined;
  }

  /**
   * Ends when this instance receives, or cannot for now.
   * @param _pool by which changes are published
   */
  async open(_pool: Queries): Promise<void> {}

  async close(): Promise<void> {}

  subscribe(subscriber: Subscriber): void {
    this.subscribers.push(subscriber);
  }

  /** Calls whenever the connection to the server is found lost. */
  onLost(call: () => void): void {
    this.losses.push(call);
  }

  protected publishLoss(): void {
    for (const call of this.losses) call();
  }

  /** A payload without a blank carries no message: it is an instance's mark or heartbeat. */
  protected publish(payload: string): void {
    const blank = payload.indexOf(' ');
    if (blank === -1) return;
    for (const subscriber of this.subscribers) subscriber.onMessage(payload.slice(blank + 1));
  }

  protected publishGap(): void {
    for (const subscriber of this.subscribers) subscriber.onGap();
  }
}
