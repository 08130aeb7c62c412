import type { Settings } from '../config/settings';
import { StartupError } from '../config/startup-error';
import { isRecord } from '../common/is-object';

/** Which routes our guard checks: all of the application, or only those with our decorators. */
export type GuardMode = 'all' | 'ours';

/** Options of `DoorwardModule.forRoot`. An unknown one stops the start. */
export interface DoorwardOptions {
  /** Settings by the names of their environment variables, which they override: `{ DATABASE_URL: url }`. */
  readonly settings?: Settings;
  /**
   * Which of the application's own routes and GraphQL operations the service's guard checks, besides all of the
   * service's. `all` (the default): every one; without `@Public()`, `@SignedIn()` or `@RequirePermission(…)` it is
   * refused. `ours`: only those with one of these decorators.
   */
  readonly guard?: GuardMode;
}

const OPTIONS: readonly string[] = ['settings', 'guard'] satisfies (keyof DoorwardOptions)[];
const MODES: readonly unknown[] = ['all', 'ours'] satisfies GuardMode[];

/** @throws StartupError for what is no object of options, an unknown option, and an unknown value of `guard` */
export function checkOptions(options: DoorwardOptions): DoorwardOptions {
  refuseNonObject(options, 'The options');
  refuseNonObject(options.settings === undefined ? {} : options.settings, 'settings');
  const strange = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (strange !== undefined) {
    throw new StartupError(
      `DoorwardModule has no option ${strange}: its options are ${OPTIONS.join(' and ')}.`,
    );
  }
  const { guard = 'all' } = options;
  if (!MODES.includes(guard)) {
    throw new StartupError(
      `guard of DoorwardModule must be 'all' or 'ours', not ${String(guard)}.`,
    );
  }
  return options;
}

/** A factory without `return` gives none. */
function refuseNonObject(given: unknown, name: string): void {
  if (isRecord(given)) return;
  const kind = Array.isArray(given) ? 'a list' : String(given);
  throw new StartupError(`${name} of DoorwardModule must be an object, not ${kind}.`);
}
