export interface Hearing {
  /** Called once for each message, after what it tells of can be read by everybody. */
  hears(message: string): void;
  /** Messages may have been missed. */
  missed(): void;
}

/** Lets the one who commits know when everything that the transaction told has been heard. */
export interface CommitMark {
  /** Goes to the server together with the COMMIT. It gives a row if the transaction has told something. */
  readonly statement: string;
  /** Called after such a commit. Ends once this instance has heard all that was told, or cannot for now. */
  comesBack(): Promise<void> | void;
}

/** Where the database tells; payloads are whose SQL it was and, after a blank, the message. */
export const CHANNEL = 'doorward';

/** Hears what transactions have changed, by whatever SQL and on whichever instance: triggers of the database tell it. */
export abstract class Broadcast {
  private readonly hearings: Hearing[] = [];
  private readonly losses: (() => void)[] = [];

  /** Whether everything that was told until a moment ago has been heard. */
  abstract get current(): boolean;

  /** @returns nothing where what is told has been heard anyway when the COMMIT is answered */
  mark(): CommitMark | undefined {
    return undefined;
  }

  /** Ends when this instance hears, or cannot for now. */
  async open(): Promise<void> {}

  async close(): Promise<void> {}

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

  /** A payload without a blank carries no message: it is an instance's mark or heartbeat. */
  protected tell(payload: string): void {
    const blank = payload.indexOf(' ');
    if (blank === -1) return;
    for (const hearing of this.hearings) hearing.hears(payload.slice(blank + 1));
  }

  protected tellMissed(): void {
    for (const hearing of this.hearings) hearing.missed();
  }
}
