import { resolve } from 'node:path';
import { readEmail, readPassword } from './administrator-options';
import { type AuthProviderConfig, readAuthProviders } from './auth-providers';
import { refuseContradictions } from './contradictions';
import { EnvReader, type Environment } from './env-reader';
import { type LogOptions, readLogOptions } from './log-options';
import { type MailAddress, readSender } from './mail-address';
import { readCookieDomain, readMetricsToken, readOrigins, readTrustProxy } from './network-options';
import { misspeltSettings } from './misspelt-settings';
import { type RateLimits, readRateLimits } from './rate-limits';
import { readSecrets } from './secret';
import { readDatabaseUrl, readPublicUrl, readRedisUrl, readSmtpUrl } from './service-urls';
import { type Settings, withSettings } from './settings';
import { StartupError } from './startup-error';
import { readUrlList } from './url-list';

const MINUTE = 60_000;
const DAY = 86_400_000;
const SECOND = 1_000;
/** With less, a start would not come through. */
const MIN_STATEMENT = 100;
const SAME_SITE = ['lax', 'strict', 'none'] as const;
const MODES = ['development', 'production', 'test'] as const;

/**
 * The settings of the environment, read once at the start, typed and checked. Durations are milliseconds. Nothing else
 * reads `process.env`. Throws a `StartupError` that lists every fault.
 */
export class AppConfig {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** After a signal to stop, the service answers for this long, while `/server/health` says that it stops. */
  readonly shutdownDelay: number;
  /** Origin and path of the service as clients see it, without a slash at the end. */
  readonly publicUrl: string;
  private readonly secretsOf: () => readonly [string, ...string[]];
  /** Whether the start deletes values encrypted with a secret that is no longer listed; otherwise it is refused. */
  readonly dropUnreadableValues: boolean;
  /** Unset: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database without the pooler, for what needs a session of its own. Unset: `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined;
  /**
   * Whether statements are prepared under names. `false`: a pooler lends the sessions behind `databaseUrl` per
   * transaction.
   */
  readonly databaseStatementNames: boolean;
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  /** The mail server. Unset: see `mailTransport`. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: MailAddress;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
  readonly accessTokenTtl: number;
  readonly refreshTokenTtl: number;
  readonly sessionTtl: number;
  readonly cookieSecure: boolean;
  readonly cookieSameSite: (typeof SAME_SITE)[number];
  readonly cookieDomain: string | undefined;
  /** Origins that browsers may call from; `*` for any, then without cookies. Empty: none. */
  readonly corsOrigins: readonly string[];
  /** Proxies in front of the service: how many, or their addresses. `false` trusts no header. */
  readonly trustProxy: false | number | readonly string[];
  /** External sign-in providers. */
  readonly authProviders: readonly AuthProviderConfig[];
  /** Whether sign-in by password is off. */
  readonly authDisableDefault: boolean;
  readonly bcryptCost: number;
  readonly rateLimits: RateLimits;
  /** URLs that `reset_url` of a password request may name. Empty: none. */
  readonly passwordResetUrlAllowList: readonly string[];
  /** The same for `verification_url` of a registration, and for `invite_url` of an invitation. */
  readonly userRegisterUrlAllowList: readonly string[];
  readonly userInviteUrlAllowList: readonly string[];
  /** Fields that a new user must have. Whether they exist is checked where the fields of users are known. */
  readonly userRequiredFields: readonly string[];
  readonly queryLimitDefault: number;
  /** The greatest limit of a query, which `limit=-1` stands for. */
  readonly queryLimitMax: number;
  /** How unknown query parameters of a read are treated. */
  readonly queryUnknown: 'refuse' | 'ignore';
  /** How many relations deep the fields of a query may go. */
  readonly queryDepthMax: number;
  /** When PostgreSQL cancels a statement, and stops waiting for a lock. */
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  /** How long an entry of the log is kept. Unset: 90 days; `0` in the environment: for ever, here Infinity. */
  readonly activityRetention: number;
  /** A token for `/metrics`, beside those of administrators. */
  readonly metricsToken: string | undefined;
  readonly graphqlIntrospection: boolean;
  readonly graphqlPlayground: boolean;
  readonly log: LogOptions;
  /** Sentences about variables whose names are nearly those of settings. */
  readonly misspelt: readonly string[];

  /** @param env learns each variable that is read, and its default */
  constructor(environment: Environment, env = new EnvReader(environment)) {
    this.production = env.oneOf('NODE_ENV', MODES, 'development') === 'production';
    this.host = env.text('HOST', '0.0.0.0');
    this.port = env.integer('PORT', 3000, { min: 0, max: 65_535 });
    this.shutdownDelay = env.duration('SHUTDOWN_DELAY', 0, { min: 0, max: MINUTE });
    const publicUrl = readPublicUrl(env, 'PUBLIC_URL');
    this.publicUrl = (publicUrl ?? `http://localhost:${this.port}`).replace(/\/+$/, '');
    this.databaseUrl = readDatabaseUrl(env, 'DATABASE_URL');
    this.databaseDirectUrl = readDatabaseUrl(env, 'DATABASE_DIRECT_URL');
    this.databaseStatementNames = env.flag('DATABASE_STATEMENT_NAMES', true);
    this.dataDir = resolve(env.text('DATA_DIR', './data'));
    this.redisUrl = readRedisUrl(env, 'REDIS_URL');
    this.smtpUrl = readSmtpUrl(env, 'SMTP_URL');
    this.mailFrom = readSender(env, 'MAIL_FROM', this.publicUrl);
    this.adminEmail = readEmail(env, 'ADMIN_EMAIL');
    this.adminPassword = readPassword(env, 'ADMIN_PASSWORD');
    this.accessTokenTtl = env.duration('ACCESS_TOKEN_TTL', 15 * MINUTE);
    this.refreshTokenTtl = env.duration('REFRESH_TOKEN_TTL', 7 * DAY);
    this.sessionTtl = env.duration('SESSION_TTL', DAY);
    this.cookieSecure = env.flag('COOKIE_SECURE', this.production);
    this.cookieSameSite = env.oneOf('COOKIE_SAME_SITE', SAME_SITE, 'lax');
    this.cookieDomain = readCookieDomain(env, 'COOKIE_DOMAIN', publicUrl);
    this.corsOrigins = readOrigins(env, 'CORS_ORIGIN');
    this.trustProxy = readTrustProxy(env, 'TRUST_PROXY');
    this.authProviders = readAuthProviders(env, this.production);
    this.authDisableDefault = env.flag('AUTH_DISABLE_DEFAULT', false);
    this.bcryptCost = env.integer('BCRYPT_COST', 10, { min: 4, max: 15 });
    this.rateLimits = readRateLimits(env);
    this.passwordResetUrlAllowList = readUrlList(env, 'PASSWORD_RESET_URL_ALLOW_LIST');
    this.userRegisterUrlAllowList = readUrlList(env, 'USER_REGISTER_URL_ALLOW_LIST');
    this.userInviteUrlAllowList = readUrlList(env, 'USER_INVITE_URL_ALLOW_LIST');
    this.userRequiredFields = [...new Set(env.list('USER_REQUIRED_FIELDS'))];
    this.queryLimitMax = env.integer('QUERY_LIMIT_MAX', 10_000, { min: 1, max: 1_000_000 });
    this.queryUnknown = env.oneOf('QUERY_UNKNOWN', ['refuse', 'ignore'], 'refuse');
    this.queryDepthMax = env.integer('QUERY_DEPTH_MAX', 5, { min: 1, max: 10 });
    this.queryLimitDefault = env.integer('QUERY_LIMIT_DEFAULT', 100, { min: 1, max: 1_000_000 });
    this.statementTimeout = env.duration('STATEMENT_TIMEOUT', 15 * SECOND, {
      min: MIN_STATEMENT,
      max: DAY,
    });
    this.lockTimeout = env.duration('LOCK_TIMEOUT', 5 * SECOND, { max: DAY });
    this.activityRetention =
      env.text('ACTIVITY_RETENTION') === '0'
        ? Infinity
        : env.duration('ACTIVITY_RETENTION', 90 * DAY);
    this.graphqlIntrospection = env.flag('GRAPHQL_INTROSPECTION', true);
    this.graphqlPlayground = env.flag('GRAPHQL_PLAYGROUND', !this.production);
    this.dropUnreadableValues = env.flag('DROP_UNREADABLE_VALUES', false);
    this.metricsToken = readMetricsToken(env, 'METRICS_TOKEN');
    this.log = readLogOptions(env);
    this.misspelt = misspeltSettings(environment);
    refuseContradictions(env, this);
    this.secretsOf = readSecrets(env, this.production, this.dataDir);
    refuseFaults(env);
  }

  /**
   * The first one signs and encrypts; all of them verify and decrypt. Where none is configured, it is generated on
   * first use.
   */
  get secrets(): readonly [string, ...string[]] {
    return this.secretsOf();
  }

  /** Without a mail server: outside production a folder of files, in production nothing. */
  get mailTransport(): 'smtp' | 'outbox' | 'none' {
    if (this.smtpUrl !== undefined) return 'smtp';
    return this.production ? 'none' : 'outbox';
  }
}

/**
 * The configuration of this process. The only place that reads `process.env`.
 * @param settings override variables of the environment
 * @throws StartupError that lists every fault
 */
export function loadConfig(settings: Settings = {}): AppConfig {
  return new AppConfig(withSettings(process.env, settings));
}

function refuseFaults(env: EnvReader): void {
  if (env.faults.length === 0) return;
  const lines = env.faults.map((fault) => `  - ${fault}`).join('\n');
  throw new StartupError(`The configuration has faults:\n${lines}`);
}
