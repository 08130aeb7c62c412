import type { Tx } from '../database';

export interface Hearing {
  /** Called once for each message, after what it tells of can be read by everybody. */
  hears(message: string): void;
  /** Messages may have been missed. */
  missed(): void;
}

/** Tells all instances on one database, this one among them, what a transaction has changed. */
export abstract class Broadcast {
  private readonly hearings: Hearing[] = [];
  private readonly losses: (() => void)[] = [];

  /** Whether everything that any instance said until a moment ago has been heard. */
  abstract get current(): boolean;

  /**
   * Says something with the transaction's commit, or nothing if it is rolled back. Whoever committed is answered once
   * this instance has heard it.
   * @param message at most `LONGEST_MESSAGE` bytes
   */
  abstract say(tx: Tx, message: string): void;

  /** Ends when this instance hears, or cannot for now. */
  async open(): Promise<void> {}

  abstract close(): Promise<void>;

  listen(hearing: Hearing): void {
    this.hearings.push(hearing);
  }

  /** Calls whenever the connection to the server is found lost. */
  onLost(call: () => void): void {
    this.losses.push(call);
  }

  protected tellLost(): void {
    for (const call of this.losses) call();
  }

  protected tell(message: string): void {
    for (const hearing of this.hearings) hearing.hears(message);
  }

  protected tellMissed(): void {
    for (const hearing of this.hearings) hearing.missed();
  }
}

/** PostgreSQL takes less than 8000 bytes; what goes before the message takes some of them. */
export const LONGEST_MESSAGE = 7_500;

/** There is one instance: on the embedded database. */
export class LocalBroadcast extends Broadcast {
  readonly current = true;

  say(tx: Tx, message: string): void {
    tx.afterCommit(() => this.tell(message));
  }

  async close(): Promise<void> {}
}
