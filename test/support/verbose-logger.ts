import { AppLogger } from '../../src/config/app-logger';

/** A logger that logs everything in the format of production, to the standard output that the test reads. */
export const verboseLogger = (): AppLogger =>
  new AppLogger({ level: 'verbose', format: 'json' }, process.stdout);
