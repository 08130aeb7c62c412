import { clearTimeout, setTimeout } from 'node:timers';

/** A wait that can be cut short, even before it begins. */
export class InterruptibleWait {
  private due = false;
  private resume: (() => void) | undefined;

  /** @param longest in milliseconds */
  async for(longest: number): Promise<void> {
    if (!this.due) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longest);
        // Does not keep the process alive.
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

  interrupt(): void {
    this.due = true;
    this.resume?.();
  }
}
