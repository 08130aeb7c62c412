import type { EnvReader } from './env-reader';

/** As `AppConfig` has them. */
interface PoolerSettings {
  readonly databaseUrl: string | undefined;
  readonly databaseDirectUrl: string | undefined;
  readonly databaseStatementNames: boolean;
}

interface Combined extends PoolerSettings {
  readonly queryLimitDefault: number;
  readonly queryLimitMax: number;
  readonly cookieSameSite: string;
  readonly cookieSecure: boolean;
  readonly authDisableDefault: boolean;
  readonly authProviders: readonly unknown[];
  readonly accessTokenTtl: number;
  readonly refreshTokenTtl: number;
}

/** Reports settings that are valid, but not together. */
export function refuseContradictions(env: EnvReader, config: Combined): void {
  if (config.queryLimitDefault > config.queryLimitMax) {
    env.fault('QUERY_LIMIT_DEFAULT', 'must not be greater than QUERY_LIMIT_MAX');
  }
  if (config.cookieSameSite === 'none' && !config.cookieSecure) {
    env.fault(
      'COOKIE_SAME_SITE',
      'none needs COOKIE_SECURE=true: otherwise browsers drop the cookie',
    );
  }
  if (config.authDisableDefault && config.authProviders.length === 0) {
    env.fault('AUTH_DISABLE_DEFAULT', 'needs AUTH_PROVIDERS: otherwise nobody could sign in');
  }
  if (config.accessTokenTtl > config.refreshTokenTtl) {
    env.fault('ACCESS_TOKEN_TTL', 'must not be longer than REFRESH_TOKEN_TTL');
  }
  refuseHalfAPooler(env, config);
}

function refuseHalfAPooler(
  env: EnvReader,
  { databaseUrl, databaseDirectUrl, databaseStatementNames }: PoolerSettings,
): void {
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    env.fault('DATABASE_DIRECT_URL', 'needs DATABASE_URL: the embedded database has no pooler');
  }
  if (databaseUrl !== undefined && databaseDirectUrl === undefined && !databaseStatementNames) {
    env.fault(
      'DATABASE_STATEMENT_NAMES',
      'false needs DATABASE_DIRECT_URL: notifications from other instances do not arrive through a pooler',
    );
  }
}
