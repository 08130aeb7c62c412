import { configOf, faultsOf } from './app-config.spec-support';

describe('defaults', () => {
  it('require only a secret', () => {
    expect(configOf()).toMatchObject({
      production: false,
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      accessTokenTtl: 900_000,
      refreshTokenTtl: 604_800_000,
      sessionTtl: 86_400_000,
      cookieSecure: false,
      corsOrigins: [],
      trustProxy: false,
      bcryptCost: 10,
      passwordResetUrlAllowList: [],
      queryLimitDefault: 100,
      queryDepthMax: 5,
    });
  });

  it('treat an empty variable as unset', () => {
    expect(configOf({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000 });
  });

  it('make cookies secure in production', () => {
    expect(configOf({ NODE_ENV: 'production' }).cookieSecure).toBe(true);
  });
});

describe('durations', () => {
  it.each([
    ['500', 500],
    ['500ms', 500],
    ['20s', 20_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ])('read %s', (written, ms) => {
    expect(configOf({ ACCESS_TOKEN_TTL: written }).accessTokenTtl).toBe(ms);
  });

  it.each(['0', '-5m', '15 m', '1.5h', 'soon', '99999d', '1e3'])('refuse %s', (written) => {
    expect(faultsOf({ ACCESS_TOKEN_TTL: written })).toHaveLength(1);
  });
});

describe('a duration out of bounds', () => {
  it.each([
    ['ACCESS_TOKEN_TTL', '0', 'from 1ms to 3650d'],
    ['SESSION_TTL', '99999d', 'from 1ms to 3650d'],
    ['SHUTDOWN_DELAY', '2m', 'from 0ms to 1m'],
    ['STATEMENT_TIMEOUT', '2d', 'from 100ms to 1d'],
    ['STATEMENT_TIMEOUT', '99ms', 'from 100ms to 1d'],
  ])('is refused by its bounds: %s=%s', (name, written, bounds) => {
    expect(faultsOf({ [name]: written })).toEqual([
      `  - ${name} must be a duration such as 15m, 7d or a number of milliseconds, ${bounds}`,
    ]);
  });
});

describe('SHUTDOWN_DELAY', () => {
  it('may be zero', () => {
    expect(configOf({}).shutdownDelay).toBe(0);
    expect(configOf({ SHUTDOWN_DELAY: '0' }).shutdownDelay).toBe(0);
    expect(configOf({ SHUTDOWN_DELAY: '1m' }).shutdownDelay).toBe(60_000);
  });

  it.each(['61s', '-1s', 'soon'])('is not %s', (written) => {
    expect(faultsOf({ SHUTDOWN_DELAY: written })).toHaveLength(1);
  });
});

describe('faults', () => {
  it('are all listed at once, with the names but without the values', () => {
    const env = {
      NODE_ENV: 'production',
      SECRET: 'short-and-private',
      PORT: '70000',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      ADMIN_EMAIL: 'not an address',
      ADMIN_PASSWORD: 'tiny',
      TRUST_PROXY: 'true',
      COOKIE_SAME_SITE: 'sometimes',
      LOG_LEVEL: 'chatty',
      BCRYPT_COST: '3',
      QUERY_LIMIT_DEFAULT: '50',
      QUERY_LIMIT_MAX: '10',
      QUERY_DEPTH_MAX: '0',
      QUERY_UNKNOWN: 'pass',
      GRAPHQL_INTROSPECTION: 'maybe',
    };
    const faults = faultsOf(env);
    const named = faults.map((line) => line.split(' ')[3]);
    const expected = Object.keys(env).filter(
      (name) => !['NODE_ENV', 'QUERY_LIMIT_MAX'].includes(name),
    );
    expect(new Set(named)).toEqual(new Set(expected));
    expect(named).toHaveLength(expected.length);
    for (const value of ['short-and-private', 'hunter2', 'tiny']) {
      expect(faults.join('\n')).not.toContain(value);
    }
  });

  it('include a password that bcrypt would cut off', () => {
    expect(faultsOf({ ADMIN_PASSWORD: 'ü'.repeat(37) })).toHaveLength(1);
  });

  it('include a password that has too few characters, though each takes two code units', () => {
    expect(faultsOf({ ADMIN_PASSWORD: '🔑🚪🗝🏠🔒🔓🧱' })).toEqual([
      '  - ADMIN_PASSWORD must have at least 8 characters',
    ]);
  });
});

it('a password is taken as it is', () => {
  const ADMIN_PASSWORD = ' three-green-kettles ';
  expect(configOf({ ADMIN_PASSWORD }).adminPassword).toBe(ADMIN_PASSWORD);
  expect(configOf({ ADMIN_PASSWORD: '  ' }).adminPassword).toBeUndefined();
});

describe('a list of URLs for links', () => {
  const read = (list: string) => ({ PASSWORD_RESET_URL_ALLOW_LIST: list });

  it('is split at commas', () => {
    const { passwordResetUrlAllowList } = configOf(
      read('https://a.example.com/reset, http://localhost:8080'),
    );
    expect(passwordResetUrlAllowList).toEqual([
      'https://a.example.com/reset',
      'http://localhost:8080',
    ]);
  });

  it.each([
    '*',
    'a.example.com',
    '//a.example.com',
    'javascript:alert(1)',
    'myapp://reset',
    'https://a.example.com?x=1',
    'https://a.example.com/#/reset',
    'https://a@example.com',
    'https:example.com',
    'https://a.example.com\\b',
    'https://ok.example.com, no',
  ])('is refused with %s in it', (list) => {
    expect(faultsOf(read(list))).toEqual([
      expect.stringContaining('PASSWORD_RESET_URL_ALLOW_LIST'),
    ]);
  });
});

describe('settings that do not fit together are refused by name', () => {
  it.each<[string, Record<string, string>]>([
    ['ACCESS_TOKEN_TTL', { ACCESS_TOKEN_TTL: '61m', REFRESH_TOKEN_TTL: '1h' }],
    ['COOKIE_SAME_SITE', { COOKIE_SAME_SITE: 'none', COOKIE_SECURE: 'false' }],
    ['QUERY_LIMIT_DEFAULT', { QUERY_LIMIT_DEFAULT: '11', QUERY_LIMIT_MAX: '10' }],
    ['AUTH_DISABLE_DEFAULT', { AUTH_DISABLE_DEFAULT: 'true' }],
  ])('%s in %j', (name, env) => {
    expect(faultsOf(env)).toEqual([expect.stringContaining(`- ${name} `)]);
  });

  it('but not where they just fit', () => {
    const just = {
      ...{ ACCESS_TOKEN_TTL: '1h', REFRESH_TOKEN_TTL: '1h' },
      ...{ COOKIE_SAME_SITE: 'none', COOKIE_SECURE: 'true' },
      ...{ QUERY_LIMIT_DEFAULT: '10', QUERY_LIMIT_MAX: '10' },
    };
    expect(faultsOf(just)).toEqual([]);
  });
});

it.each(['REQUESTS', 'FAILURES', 'CODES'])(
  'the time for which %s are counted is whole seconds',
  (counted) => {
    const name = `RATE_LIMIT_${counted}_WINDOW`;
    expect(faultsOf({ [name]: '1500ms' })).toEqual([
      expect.stringContaining(`${name} must be whole seconds`),
    ]);
    expect(faultsOf({ [name]: '2000ms' })).toEqual([]);
  },
);
