import { PROVIDER_SETTINGS } from './auth-providers';
import type { Environment } from './env-reader';
import { SETTINGS } from './setting-texts';
import { StartupError } from './startup-error';

const OF_PROVIDERS = new RegExp(`^AUTH_[A-Z0-9_]+_(?:${PROVIDER_SETTINGS.join('|')})$`);

type SettingName = keyof typeof SETTINGS | `AUTH_${string}`;
type Setting = string | number | boolean | readonly string[] | undefined;

/**
 * Settings by the names of their environment variables, which docs/configuration.md lists. A list is an array of texts
 * without commas; a duration that is a number is in milliseconds.
 *
 *     { DATABASE_URL: 'postgres://…', ACCESS_TOKEN_TTL: '15m', CORS_ORIGIN: ['https://app.example.com'] }
 */
export type Settings = { readonly [Name in SettingName]?: Setting };

/**
 * The environment, overridden by these values; undefined values override nothing.
 * @throws StartupError for a name that no setting has
 */
export function withSettings(environment: Environment, settings: Settings): Environment {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const strange = given.find(
    ([name]) => !Object.hasOwn(SETTINGS, name) && !OF_PROVIDERS.test(name),
  );
  if (strange)
    throw new StartupError(`There is no setting ${strange[0]}: see docs/configuration.md.`);
  return {
    ...environment,
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  };
}
