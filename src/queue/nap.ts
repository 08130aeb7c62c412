import { clearTimeout, setTimeout } from 'node:timers';

/** A wait that may be cut short; cut short before it begins, it does not begin. */
export class Nap {
  private due = false;
  private resume: (() => void) | undefined;

  /** @param longest in milliseconds */
  async take(longest: number): Promise<void> {
    if (!this.due) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longest);
        // Nobody is kept alive by it.
        timer.unref();
        this.resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.due = false;
    this.resume = undefined;
  }

  end(): void {
    this.due = true;
    this.resume?.();
  }
}
