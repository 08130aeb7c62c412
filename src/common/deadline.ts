/**
 * A moment some time from now, on two clocks: the wall clock may be set back, and the monotonic clock stands still while
 * the machine sleeps.
 */
export class Deadline {
  private readonly wallClock: number;
  private readonly monotonic: number;

  /** @param wait in milliseconds, from now */
  constructor(wait: number) {
    this.wallClock = Date.now() + wait;
    this.monotonic = performance.now() + wait;
  }

  /** Milliseconds until the first of the clocks has reached it; not positive afterwards. */
  get left(): number {
    return Math.min(this.wallClock - Date.now(), this.monotonic - performance.now());
  }
}
