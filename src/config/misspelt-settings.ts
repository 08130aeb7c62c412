import type { Environment } from './env-reader';
import { nearest } from './nearest';
import { SETTINGS } from './setting-texts';

const NAMES = Object.keys(SETTINGS);
/** Other programs have short names that are near ours: `SORT`, `HOME`. */
const MIN_LENGTH = 6;

/** A sentence for each variable that probably was meant to be a setting: nothing else would ever name it. */
export function misspeltSettings(environment: Environment): string[] {
  const missing = NAMES.filter((name) => name.length >= MIN_LENGTH && !environment[name]);
  return Object.keys(environment)
    .filter((name) => name.length >= MIN_LENGTH && !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const meant = nearest(name, missing);
      return meant === undefined ? [] : [`${name} is not a setting. Is ${meant} meant?`];
    });
}
