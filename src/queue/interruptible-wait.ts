import { clearTimeout, setTimeout } from 'node:timers';

/** A wait that can be cut short, even before it begins. */
export class InterruptibleWait {
  private interrupted = false;
  private resume: (() => void) | undefined;

  /** Ends after this time, or as soon as it is interrupted. */
  async for(longestMs: number): Promise<void> {
    if (!this.interrupted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestMs);
        // Does not keep the process alive.
        timer.unref();
        this.resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.interrupted = false;
    this.resume = undefined;
  }

  interrupt(): void {
    this.interrupted = true;
    this.resume?.();
  }
}
