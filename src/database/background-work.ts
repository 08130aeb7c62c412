import { Logger } from '@nestjs/common';

/** Work that no answer waits for, but that must end before the application closes. */
export class BackgroundWork {
  private readonly logger = new Logger('Database');
  private readonly underWay = new Set<Promise<void>>();

  /** Starts after pending work of the event loop, such as writing the answer. An error is logged. */
  begin(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => {
      setImmediate(() => void this.carryOut(work).then(resolve));
    });
    this.underWay.add(done);
    void done.then(() => this.underWay.delete(done));
  }

  /** @param timeoutMs after which it stops waiting for the rest */
  async settled(timeoutMs: number): Promise<void> {
    const deadline = { passed: false };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        deadline.passed = true;
        resolve();
      }, timeoutMs);
    });
    while (this.underWay.size > 0 && !deadline.passed) {
      await Promise.race([Promise.all(this.underWay), late]);
    }
    clearTimeout(timer);
  }

  private async carryOut(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error('Work after a commit failed', error);
    }
  }
}
