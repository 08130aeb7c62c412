import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';

/**
 * Proofs that a listener hears what others publish: messages that go the way of their changes, through the pool. A
 * listener behind a pooler, or on another database, may hear itself and nobody else.
 */
export class Proofs {
  private count = 0;
  private expected = '';
  private arrive: (() => void) | undefined;

  /**
   * @param name nobody else's
   * @param timeoutMs from the answer to the publication until it counts as lost
   */
  constructor(
    private readonly name: string,
    private readonly timeoutMs: number,
  ) {}

  /** To be told of every payload that is heard. @returns whether it was meant for this */
  receive(payload: string): boolean {
    if (payload === this.expected) this.arrive?.();
    return payload.startsWith(`${this.name}:`);
  }

  /** @returns whether it was heard; nothing where it could not be published, which says nothing of the listener */
  async ask(publish: (payload: string) => Promise<unknown>): Promise<boolean | undefined> {
    this.expected = `${this.name}:${(this.count += 1)}`;
    const heard = new Promise<boolean>((resolve) => (this.arrive = () => resolve(true)));
    try {
      await publish(this.expected);
    } catch {
      return undefined;
    }
    return Promise.race([heard, this.loss()]);
  }

  /** After a look at the connection: a process that was held up comes to its timers before it comes to what has arrived. */
  private async loss(): Promise<false> {
    await sleep(this.timeoutMs, undefined, { ref: false });
    return afterPoll(false);
  }
}
