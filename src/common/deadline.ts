/**
 * A moment some time from now, on two clocks: the one of the day may be set back, and the steady one stands still while the
 * machine sleeps.
 */
export class Deadline {
  private readonly time: number;
  private readonly steady: number;

  /** @param wait in milliseconds, from now */
  constructor(wait: number) {
    this.time = Date.now() + wait;
    this.steady = performance.now() + wait;
  }

  /** Milliseconds until the first of the clocks has reached it; not positive afterwards. */
  get left(): number {
    return Math.min(this.time - Date.now(), this.steady - performance.now());
  }
}
