import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';

/**
 * Messages by which a listener finds out whether it receives what others publish: they are sent like changes, through
 * the pool. A listener behind a pooler, or on another database, may receive only its own messages.
 */
export class DeliveryProbes {
  private count = 0;
  private expected = '';
  private arrive: (() => void) | undefined;

  /**
   * @param name unique to this instance
   * @param timeoutMs after publishing until a probe counts as lost
   */
  constructor(
    private readonly name: string,
    private readonly timeoutMs: number,
  ) {}

  /** Call with every received payload. @returns whether it was one of these probes */
  receive(payload: string): boolean {
    if (payload === this.expected) this.arrive?.();
    return payload.startsWith(`${this.name}:`);
  }

  /**
   * Publishes a probe.
   * @returns whether it was received; undefined where it could not be published, which proves nothing about the
   * listener
   */
  async send(publish: (payload: string) => Promise<unknown>): Promise<boolean | undefined> {
    this.expected = `${this.name}:${(this.count += 1)}`;
    const heard = new Promise<boolean>((resolve) => (this.arrive = () => resolve(true)));
    try {
      await publish(this.expected);
    } catch {
      return undefined;
    }
    return Promise.race([heard, this.loss()]);
  }

  /** Checks the connection first: in a process that was held up, timers run before received data is read. */
  private async loss(): Promise<false> {
    await sleep(this.timeoutMs, undefined, { ref: false });
    return afterPoll(false);
  }
}
