import type { AppConfig } from './config/app-config';

/** Docker kills ten seconds after the stop signal. */
const MAX_STOP = 7_500;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Ends the process where closing takes too long, for example because a statement waits for a lock. What is committed
 * stays, as after a crash.
 */
export function stopInTime({ shutdownDelay }: AppConfig): void {
  const longest = shutdownDelay + MAX_STOP;
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      const end = (): void => {
        process.stderr.write(
          `The stop took longer than ${longest / 1000} s: unfinished work is cut off.\n`,
        );
        process.exit(1);
      };
      setTimeout(end, longest).unref();
    });
  }
}
