import { resolve } from 'node:path';
import { readEmail, readPassword } from './administrator-options';
import { type AuthProviderConfig, readAuthProviders } from './auth-providers';
import { EnvReader, type Environment } from './env-reader';
import { type LogOptions, readLogOptions } from './log-options';
import { type MailAddress, readSender } from './mail-address';
import { readCookieDomain, readMetricsToken, readOrigins, readTrustProxy } from './network-options';
import { type RateLimits, readRateLimits } from './rate-limits';
import { readSecrets } from './secret';
import { readPublicUrl, readSmtpUrl } from './service-urls';
import { type Settings, withSettings } from './settings';
import { StartupError } from './startup-error';
import { readUrlList } from './url-list';

const MINUTE = 60_000;
const DAY = 86_400_000;
const SECOND = 1_000;
const SAME_SITE = ['lax', 'strict', 'none'] as const;
const POSTGRES = ['postgres:', 'postgresql:'];
const MODES = ['development', 'production', 'test'] as const;

/**
 * All that the environment decides, read once at start, typed and checked. Durations are milliseconds. Nothing else
 * reads `process.env`. Throws a `StartupError` that lists every fault.
 */
export class AppConfig {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Asked to end, it serves for so long while `/server/health` says that it stops. */
  readonly shutdownDelay: number;
  /** Origin and path by which others reach the service, without a slash at the end. */
  readonly publicUrl: string;
  private readonly secretsOf: () => readonly [string, ...string[]];
  /** What was sealed with a secret that is not listed any more is dropped at the start, which is refused otherwise. */
  readonly dropUnreadableValues: boolean;
  /** Unset: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The same database past a pooler, for what needs a session of its own. Unset: as `databaseUrl`. */
  readonly databaseDirectUrl: string | undefined;
  /** Whether statements are prepared under names. `false`: a pooler lends the sessions behind `databaseUrl`. */
  readonly databaseStatementNames: boolean;
  readonly dataDir: string;
  readonly redisUrl: string | undefined;
  /** Where mails are handed over. Unset: see `mailTransport`. */
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
  /** Proxies before us: how many, or their addresses. `false` believes no header. */
  readonly trustProxy: false | number | readonly string[];
  /** External providers of sign-ins. */
  readonly authProviders: readonly AuthProviderConfig[];
  /** Nobody signs in by password. */
  readonly authDisableDefault: boolean;
  readonly bcryptCost: number;
  readonly rateLimits: RateLimits;
  /** What `reset_url` of a request for a new password may name. Empty: nothing. */
  readonly passwordResetUrlAllowList: readonly string[];
  /** The same for `verification_url` of a registration, and for `invite_url` of an invitation. */
  readonly userRegisterUrlAllowList: readonly string[];
  readonly userInviteUrlAllowList: readonly string[];
  /** Fields of a user that a create must carry; whether there are such is judged where users are known. */
  readonly userRequiredFields: readonly string[];
  readonly queryLimitDefault: number;
  /** What `limit=-1` gives at most, and the greatest limit that may be asked for. */
  readonly queryLimitMax: number;
  /** What becomes of parameters in the address of a read that no query has. */
  readonly queryUnknown: 'refuse' | 'ignore';
  /** Relations that the fields of a query may follow one after another. */
  readonly queryDepthMax: number;
  /** After so long PostgreSQL gives up a statement, and waiting for a lock. */
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  /** How long an entry of the log is kept. Unset: 90 days; `0` in the environment: for ever, here Infinity. */
  readonly activityRetention: number;
  /** Who shows it may read `/metrics` without being an administrator. */
  readonly metricsToken: string | undefined;
  readonly graphqlIntrospection: boolean;
  readonly graphqlPlayground: boolean;
  readonly log: LogOptions;

  /** @param env told of every variable that is read, and of its default */
  constructor(environment: Environment, env = new EnvReader(environment)) {
    this.production = env.oneOf('NODE_ENV', MODES, 'development') === 'production';
    this.host = env.text('HOST', '0.0.0.0');
    this.port = env.integer('PORT', 3000, { min: 0, max: 65_535 });
    this.shutdownDelay = env.duration('SHUTDOWN_DELAY', 0, { min: 0, max: MINUTE });
    const publicUrl = readPublicUrl(env, 'PUBLIC_URL');
    this.publicUrl = (publicUrl ?? `http://localhost:${this.port}`).replace(/\/+$/, '');
    this.databaseUrl = env.url('DATABASE_URL', POSTGRES);
    this.databaseDirectUrl = env.url('DATABASE_DIRECT_URL', POSTGRES);
    this.databaseStatementNames = env.flag('DATABASE_STATEMENT_NAMES', true);
    this.dataDir = resolve(env.text('DATA_DIR', './data'));
    this.redisUrl = env.url('REDIS_URL', ['redis:', 'rediss:']);
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
    this.statementTimeout = env.duration('STATEMENT_TIMEOUT', 15 * SECOND, { max: DAY });
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
    this.checkTogether(env);
    this.secretsOf = readSecrets(env, this.production, this.dataDir);
    refuseFaults(env);
  }

  /** The first signs and seals, all verify and open; made when it is first asked for, where none was given. */
  get secrets(): readonly [string, ...string[]] {
    return this.secretsOf();
  }

  /** Without a mail server: outside production a folder of files, in production nothing. */
  get mailTransport(): 'smtp' | 'outbox' | 'none' {
    if (this.smtpUrl !== undefined) return 'smtp';
    return this.production ? 'none' : 'outbox';
  }

  private refuseDeafness(env: EnvReader): void {
    if (this.databaseUrl === undefined || this.databaseDirectUrl !== undefined) return;
    if (this.databaseStatementNames) return;
    env.fault(
      'DATABASE_STATEMENT_NAMES',
      'false needs DATABASE_DIRECT_URL: by way of a pooler nothing is heard of other instances',
    );
  }

  /** What each variable alone cannot show. */
  private checkTogether(env: EnvReader): void {
    if (this.queryLimitDefault > this.queryLimitMax) {
      env.fault('QUERY_LIMIT_DEFAULT', 'must not be greater than QUERY_LIMIT_MAX');
    }
    if (this.cookieSameSite === 'none' && !this.cookieSecure) {
      env.fault('COOKIE_SAME_SITE', 'none needs COOKIE_SECURE=true: browsers drop such a cookie');
    }
    if (this.authDisableDefault && this.authProviders.length === 0) {
      env.fault('AUTH_DISABLE_DEFAULT', 'needs AUTH_PROVIDERS: nobody could sign in');
    }
    if (this.databaseDirectUrl !== undefined && this.databaseUrl === undefined) {
      env.fault('DATABASE_DIRECT_URL', 'needs DATABASE_URL: the embedded database has no pooler');
    }
    this.refuseDeafness(env);
    if (this.accessTokenTtl > this.refreshTokenTtl) {
      env.fault('ACCESS_TOKEN_TTL', 'must not be longer than REFRESH_TOKEN_TTL');
    }
  }
}

/**
 * The configuration of this process. The only place that reads `process.env`.
 * @param settings before what the environment says
 */
export function loadConfig(settings: Settings = {}): AppConfig {
  return new AppConfig(withSettings(process.env, settings));
}

function refuseFaults(env: EnvReader): void {
  if (env.faults.length === 0) return;
  const lines = env.faults.map((fault) => `  - ${fault}`).join('\n');
  throw new StartupError(`The configuration has faults:\n${lines}`);
}
