/** The documentation of a setting, in Markdown. */
interface SettingText {
  readonly about: string;
  /** The default, where `AppConfig` does not set it. */
  readonly otherwise?: string;
}

/**
 * Every variable that `AppConfig` reads, in the order of the documentation. The name of a provider is inserted into its
 * variables: `AUTH_ACME_ISSUER_URL`. `npm run docs:settings` writes them to docs/configuration.md.
 */
export const SETTINGS = {
  NODE_ENV: {
    about:
      '`production` requires a strong `SECRET` and makes cookies secure; no npm script sets it',
  },
  HOST: {
    about: 'address to listen on',
  },
  PORT: {
    about: 'port to listen on; `0`: any free one',
  },
  SHUTDOWN_DELAY: {
    about:
      'how long it keeps serving after a stop signal, while `/server/health` answers 503 for balancers; 1 minute at most',
  },
  PUBLIC_URL: {
    about: 'URL at which browsers reach the service; its pages may use the cookies',
    otherwise: '`http://localhost:{PORT}`',
  },
  SECRET: {
    about:
      'signs tokens and encrypts stored secrets (see [keys](#keys-and-mail)); required in production: 32 characters at least, no placeholder',
    otherwise: 'generated once, stored in `DATA_DIR`',
  },
  DROP_UNREADABLE_VALUES: {
    about:
      'whether a start deletes values that were encrypted with a `SECRET` that is no longer listed; otherwise it is refused',
  },
  DATABASE_URL: {
    about:
      '`postgres://…`, PostgreSQL 15 or later; with TLS `?sslmode=verify-full&sslrootcert=FILE` (`require` checks as much, `no-verify` nothing)',
    otherwise: 'none: the embedded database',
  },
  DATABASE_DIRECT_URL: {
    about:
      'the same database without the pooler: for migrations, notifications from other instances, and counted attempts',
    otherwise: 'as `DATABASE_URL`',
  },
  DATABASE_STATEMENT_NAMES: {
    about:
      '`false` for a pooler in transaction mode: no prepared statements, and no settings sent when connecting. It needs `DATABASE_DIRECT_URL`',
  },
  DATA_DIR: {
    about: 'folder of the embedded database, the generated secret and the outbox',
  },
  REDIS_URL: {
    about:
      '`redis://…`: where instances count attempts together; without it, in PostgreSQL. While Redis is down or hangs, each instance counts in memory',
  },
  SMTP_URL: {
    about:
      'mail server (see [mail](#keys-and-mail)): `smtp://…` or `smtps://…`, with options such as `?pool=true&maxConnections=2`',
  },
  MAIL_FROM: {
    about: "sender of mails: an address, or `Name <address>`; by default with the project's name",
    otherwise: '`no-reply@` host of `PUBLIC_URL`',
  },
  ADMIN_EMAIL: {
    about: 'e-mail of the administrator that the first start creates',
    otherwise: '`admin@example.com`',
  },
  ADMIN_PASSWORD: {
    about: 'their password: 8 characters at least, 72 bytes at most',
    otherwise: 'generated and printed once',
  },
  ACCESS_TOKEN_TTL: {
    about: 'life of an access token',
  },
  REFRESH_TOKEN_TTL: {
    about: 'life of a refresh token',
  },
  SESSION_TTL: {
    about: 'life of a session cookie',
  },
  COOKIE_SECURE: {
    about: 'cookies only over HTTPS',
  },
  COOKIE_SAME_SITE: {
    about: '`lax`, `strict` or `none` (this needs `COOKIE_SECURE`)',
  },
  COOKIE_DOMAIN: {
    about: 'domain of the cookies',
    otherwise: 'the host alone',
  },
  CORS_ORIGIN: {
    about:
      'origins whose pages may call, separated by commas, with cookies; `*`: any, without cookies',
  },
  TRUST_PROXY: {
    about: 'proxies in front: how many, or their addresses; `false` ignores `X-Forwarded-For`',
    otherwise: '`false`',
  },
  AUTH_PROVIDERS: {
    about:
      'names of external sign-in providers, separated by commas; see [external providers](#external-providers)',
  },
  AUTH_DISABLE_DEFAULT: {
    about: 'turns sign-in by e-mail and password off; needs `AUTH_PROVIDERS`',
  },
  BCRYPT_COST: {
    about: "cost of a password's hash, 4 to 15; a higher one takes effect at the next sign-in",
  },
  ACTIVITY_RETENTION: {
    about: 'how long the log keeps an entry; `0`: for ever',
  },
  PASSWORD_RESET_URL_ALLOW_LIST: {
    about:
      'URLs that `reset_url` may lead to, separated by commas: the same origin, the same path or below',
  },
  USER_REGISTER_URL_ALLOW_LIST: {
    about: 'the same for `verification_url` of a registration',
  },
  USER_INVITE_URL_ALLOW_LIST: {
    about: 'the same for `invite_url` of an invitation',
  },
  USER_REQUIRED_FIELDS: {
    about:
      'fields of a user that `POST /users` and a registration must contain, separated by commas; not required of invitations and sign-ins by a provider',
  },
  RATE_LIMIT_ENABLED: {
    about: 'whether attempts are limited at all',
  },
  RATE_LIMIT_REQUESTS: {
    about:
      'how many requests to `/auth`, `/register`, `/users/register` and `/users/invite/accept` one network (of IPv6: a /64) may send in the time below',
  },
  RATE_LIMIT_REQUESTS_WINDOW: {
    about: 'that time, in whole seconds',
  },
  RATE_LIMIT_FAILURES_WINDOW: {
    about:
      'for how long wrong passwords count; for one account from one network `auth_login_attempts` of the settings are allowed (20; `null`: any number)',
  },
  RATE_LIMIT_CODES: {
    about:
      'how many wrong one-time passwords, recovery codes and current passwords one user may give in the time below',
  },
  RATE_LIMIT_CODES_WINDOW: {
    about: 'that time, in whole seconds',
  },
  QUERY_LIMIT_DEFAULT: {
    about: 'rows of a list without `limit`',
  },
  QUERY_LIMIT_MAX: {
    about: 'largest `limit`, which `limit=-1` stands for',
  },
  QUERY_DEPTH_MAX: {
    about: 'relations that `fields` may follow one after another, 1 to 10',
  },
  QUERY_UNKNOWN: {
    about:
      '`ignore`: unknown parameters in the URL of a read are ignored instead of refused; everywhere else they are refused',
  },
  STATEMENT_TIMEOUT: {
    about:
      'time limit of a statement on PostgreSQL, 100 ms to 1 day; beyond it the request gets 503',
  },
  LOCK_TIMEOUT: {
    about:
      'how long a statement may wait for locks of other requests; beyond it the request gets 503',
  },
  GRAPHQL_INTROSPECTION: {
    about: 'whether clients may query the schema',
  },
  GRAPHQL_PLAYGROUND: {
    about: 'the editor at `GET /graphql/system` and `/graphql`; it loads nothing from other hosts',
  },
  METRICS_TOKEN: {
    about: 'gives access to `/metrics` as a bearer token; 16 characters of ASCII at least',
  },
  LOG_FORMAT: {
    about: '`json`: one object per line; `pretty`: for people',
    otherwise: '`json`, on a terminal `pretty`',
  },
  LOG_LEVEL: {
    about:
      '`fatal`, `error`, `warn`, `log`, `debug` or `verbose`: this level and more severe ones; `info` is `log`, `trace` is `verbose`',
  },
  LOG_REQUESTS: {
    about: 'whether each request is logged, at the level `log`',
  },
} as const satisfies Readonly<Record<string, SettingText>>;
