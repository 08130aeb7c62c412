/** Docker kills ten seconds after it has asked. */
const MAX_STOP = 7_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ends the process where closing in good order takes too long: a statement that waits for a lock is not to be waited
 * for. What is committed stays, as after a crash.
 */
export function stopInTime(): void {
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      const end = (): void => {
        process.stderr.write('Something was still under way after 7.5 s: it is cut off.\n');
        process.exit(1);
      };
      setTimeout(end, MAX_STOP).unref();
    });
  }
}
