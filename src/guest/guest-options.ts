import type { Settings } from '../config/settings';
import { StartupError } from '../config/startup-error';

/** Which routes our guard judges: all of the application, or of its own only those with a decorator of ours. */
export type GuardMode = 'all' | 'ours';

export interface DoorwardOptions {
  /** Settings by the names of their environment variables, before whose values they go. */
  readonly settings?: Settings;
  /**
   * Which routes and GraphQL operations our guard judges. `all` (the default): also those of the application's own; what
   * does not say whom it is for is refused. `ours`: of the application's own only those that bear a decorator of ours.
   */
  readonly guard?: GuardMode;
}

const OPTIONS: readonly string[] = ['settings', 'guard'] satisfies (keyof DoorwardOptions)[];
const MODES: readonly unknown[] = ['all', 'ours'] satisfies GuardMode[];

/** @throws StartupError for an option that there is not, and for a guard that would be none */
export function checkOptions(options: DoorwardOptions): DoorwardOptions {
  const strange = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (strange !== undefined) {
    throw new StartupError(
      `DoorwardModule has no option ${strange}: there are ${OPTIONS.join(' and ')}.`,
    );
  }
  const { guard = 'all' } = options;
  if (!MODES.includes(guard)) {
    throw new StartupError(`guard of DoorwardModule is 'all' or 'ours', not ${String(guard)}.`);
  }
  return options;
}
