import type { INestApplication } from '@nestjs/common';
import type { AppConfig } from './config/app-config';

/** Docker kills ten seconds after the stop signal. */
const MAX_STOP = 7_500;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Until the service listens a stop signal ends the process at once, even where the start waits for a lock: it has no
 * client yet, and its unfinished transactions are rolled back. Without a handler the first process of a container
 * ignores the signal.
 * @returns gives the signals back
 */
export function endStartOnSignal(): () => void {
  const end = (): void => {
    process.stderr.write('Stopped before the start was complete.\n');
    process.exit(0);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

/**
 * From now on a stop signal lets the application answer its open requests and close the database; the exit code is 0.
 * The process is ended where that takes too long, for example because a statement waits for a lock. What is committed
 * stays, as after a crash.
 */
export function closeOnSignal(app: INestApplication, { shutdownDelay }: AppConfig): void {
  // By default it would also catch signals of a crash, such as SIGSEGV, after which a process must not go on.
  app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
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
