import { PROVIDER_SETTINGS } from './auth-providers';
import type { Environment } from './env-reader';
import { nearest } from './nearest';
import { SETTINGS } from './setting-texts';

/** Other programs have short names that are near ours: `SORT`, `HOME`. */
const MIN_LENGTH = 6;
const NAMES = Object.keys(SETTINGS).filter((name) => name.length >= MIN_LENGTH);

/** A sentence for each variable that probably was meant to be a setting: nothing else would ever name it. */
export function misspeltSettings(environment: Environment): string[] {
  const prefixes = prefixesOf(environment['AUTH_PROVIDERS'] ?? '');
  // One provider's name may begin with another's.
  const ofProviders = prefixes.flatMap((prefix) => PROVIDER_SETTINGS.map((each) => prefix + each));
  const known = new Set([...Object.keys(SETTINGS), ...ofProviders]);
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const isOfProvider = prefixes.some((prefix) => name.startsWith(prefix));
    if (!isOfProvider && name.length < MIN_LENGTH) return [];
    const missing = (isOfProvider ? ofProviders : NAMES).filter((each) => !environment[each]);
    const meant = nearest(name, missing);
    if (meant !== undefined) return [`${name} is not a setting. Is ${meant} meant?`];
    // Nothing else begins like the variables of a provider.
    return isOfProvider ? [`${name} is not a setting of a sign-in provider.`] : [];
  });
}

/** How the variables of each provider begin. */
const prefixesOf = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().toUpperCase())
    .filter((name) => name !== '')
    .map((name) => `AUTH_${name}_`);
