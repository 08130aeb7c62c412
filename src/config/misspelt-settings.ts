import { PROVIDER_SETTINGS } from './auth-providers';
import type { Environment } from './env-reader';
import { nearest } from './nearest';
import { SETTINGS } from './setting-texts';

/** Other programs have short names that are near ours: `SORT`, `HOME`. */
const MIN_LENGTH = 6;
const NAMES = Object.keys(SETTINGS).filter((name) => name.length >= MIN_LENGTH);

/** A sentence for each variable that probably was meant to be a setting: nothing else would ever name it. */
export function misspeltSettings(environment: Environment): string[] {
  const ofProviders = settingsOfProviders(environment['AUTH_PROVIDERS'] ?? '');
  return Object.keys(environment)
    .filter((name) => !Object.hasOwn(SETTINGS, name))
    .flatMap((name) => {
      const group = ofProviders.find(({ prefix }) => name.startsWith(prefix));
      if (group?.names.includes(name)) return [];
      const meant = nearest(
        name,
        (group?.names ?? NAMES).filter((each) => !environment[each]),
      );
      if (meant !== undefined && name.length >= MIN_LENGTH)
        return [`${name} is not a setting. Is ${meant} meant?`];
      return group ? [`${name} is not a setting of a sign-in provider.`] : [];
    });
}

/** Any other variable that begins like those of a provider is a mistake. */
function settingsOfProviders(list: string): { prefix: string; names: readonly string[] }[] {
  const prefixes = list.split(',').map((name) => `AUTH_${name.trim().toUpperCase()}_`);
  // One provider's name may begin with another's.
  const names = prefixes.flatMap((prefix) => PROVIDER_SETTINGS.map((each) => prefix + each));
  return prefixes.filter((prefix) => prefix !== 'AUTH__').map((prefix) => ({ prefix, names }));
}
