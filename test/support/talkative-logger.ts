import { AppLogger } from '../../src/config/app-logger';

/** As much as can be logged, as it is in production, to the standard output as the test sees it. */
export const talkativeLogger = (): AppLogger =>
  new AppLogger({ level: 'verbose', format: 'json' }, process.stdout);
