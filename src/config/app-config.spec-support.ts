import { AppConfig } from './app-config';
import type { Environment } from './env-reader';
import { StartupError } from './startup-error';

/** A secret that production accepts. */
export const STRONG = 'q7Jm2vXz9LkP4sRt8WnB3yHc6DfG1aEu0iOo';
export const OTHER = 'z8Kd3NfPq1WtYv5LbRh7XcJm2SgTa9UeQwE4';

/** The faults of a configuration with this environment; none where it is valid. */
export const faultsOf = (env: Environment): string[] => {
  try {
    new AppConfig({ SECRET: STRONG, ...env });
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.message.split('\n').slice(1);
  }
};

/** The configuration of this environment, with a secret. */
export const configOf = (env: Environment = {}): AppConfig =>
  new AppConfig({ SECRET: STRONG, ...env });
