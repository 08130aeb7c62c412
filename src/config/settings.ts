import type { Environment } from './env-reader';
import { StartupError } from './startup-error';

/** Every variable that `AppConfig` reads; those of providers bear their names besides: `AUTH_ACME_ISSUER_URL`. */
const SETTINGS = [
  'ACCESS_TOKEN_TTL',
  'ACTIVITY_RETENTION',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'AUTH_DISABLE_DEFAULT',
  'AUTH_PROVIDERS',
  'BCRYPT_COST',
  'COOKIE_DOMAIN',
  'COOKIE_SAME_SITE',
  'COOKIE_SECURE',
  'CORS_ORIGIN',
  'DATABASE_URL',
  'DATA_DIR',
  'DROP_UNREADABLE_VALUES',
  'GRAPHQL_INTROSPECTION',
  'GRAPHQL_PLAYGROUND',
  'HOST',
  'LOCK_TIMEOUT',
  'LOG_LEVEL',
  'MAIL_FROM',
  'METRICS_TOKEN',
  'NODE_ENV',
  'PASSWORD_RESET_URL_ALLOW_LIST',
  'PORT',
  'PUBLIC_URL',
  'QUERY_DEPTH_MAX',
  'QUERY_LIMIT_DEFAULT',
  'QUERY_LIMIT_MAX',
  'QUERY_UNKNOWN',
  'RATE_LIMIT_CODES',
  'RATE_LIMIT_CODES_WINDOW',
  'RATE_LIMIT_ENABLED',
  'RATE_LIMIT_FAILURES_WINDOW',
  'RATE_LIMIT_REQUESTS',
  'RATE_LIMIT_REQUESTS_WINDOW',
  'REDIS_URL',
  'REFRESH_TOKEN_TTL',
  'SECRET',
  'SESSION_TTL',
  'SMTP_URL',
  'STATEMENT_TIMEOUT',
  'TRUST_PROXY',
  'USER_INVITE_URL_ALLOW_LIST',
  'USER_REGISTER_URL_ALLOW_LIST',
  'USER_REQUIRED_FIELDS',
] as const;

const PROVIDERS = /^AUTH_[A-Z0-9_]+$/;

export type SettingName = (typeof SETTINGS)[number] | `AUTH_${string}`;
export type Setting = string | number | boolean | readonly string[] | undefined;

/** Settings by the names of their variables. A list is one of texts without commas; a duration of a number is in ms. */
export type Settings = { readonly [Name in SettingName]?: Setting };

/**
 * The environment with these instead of its own values; what is undefined is left as it is.
 * @throws StartupError for a name that no setting has
 */
export function withSettings(environment: Environment, settings: Settings): Environment {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const known: readonly string[] = SETTINGS;
  const strange = given.find(([name]) => !known.includes(name) && !PROVIDERS.test(name));
  if (strange) throw new StartupError(`There is no setting ${strange[0]}: see the README's list.`);
  return {
    ...environment,
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  };
}
