import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { type Response } from 'express';
import { AppConfig } from './app-config';
import type { Environment } from './env-reader';
import { StartupError } from './startup-error';

const STRONG = 'q7Jm2vXz9LkP4sRt8WnB3yHc6DfG1aEu0iOo';
const OTHER = 'z8Kd3NfPq1WtYv5LbRh7XcJm2SgTa9UeQwE4';

const faultsOf = (env: Environment): string[] => {
  try {
    new AppConfig({ SECRET: STRONG, ...env });
    return [];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return error.message.split('\n').slice(1);
  }
};

/** An answer, as far as setting a cookie needs one. */
const sent = (): Response =>
  Object.assign(Object.create(express.response) as Response, {
    ...{ append: () => undefined, req: {}, app: express() },
  });

const configOf = (env: Environment = {}): AppConfig => new AppConfig({ SECRET: STRONG, ...env });

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

describe('proxies and origins', () => {
  it.each([
    ['false', false],
    ['0', false],
    ['2', 2],
    ['loopback, 10.0.0.0/8', ['loopback', '10.0.0.0/8']],
    ['::1, fd00::/8, 192.0.2.1/32', ['::1', 'fd00::/8', '192.0.2.1/32']],
  ])('read TRUST_PROXY=%s', (written, expected) => {
    const { trustProxy } = configOf({ TRUST_PROXY: written });
    expect(trustProxy).toEqual(expected);
    // What Express makes of it at the start.
    expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
  });

  it.each([
    ...[
      '10.0.0',
      '10.0.0.256',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/',
      '10.0.0.0/08',
      'abc',
      '::g',
    ],
    ...['::1/129', 'fe80::1%eth0', ',', 'loopback,all', '10.0.0.1/255.0.0.0.0', '-1', '100'],
  ])('refuse TRUST_PROXY=%s', (written) => {
    expect(faultsOf({ TRUST_PROXY: written })).toHaveLength(1);
  });

  it.each(['example.com', '.example.com', 'localhost', 'a-b.example', 'xn--bcher-kva.example'])(
    'take COOKIE_DOMAIN=%s',
    (written) => {
      const { cookieDomain } = configOf({ COOKIE_DOMAIN: written });
      expect(cookieDomain).toBe(written);
      expect(() => sent().cookie('a', 'b', { domain: written })).not.toThrow();
    },
  );

  it.each([
    ...['example.com; path=/', 'https://example.com', 'example..com', '-a.example', 'exa mple.com'],
    ...['bücher.example', '10.0.0.1', '::1', '*.example.com', '.', `${'a'.repeat(64)}.example`],
    `${'a.'.repeat(130)}example`,
  ])('refuse COOKIE_DOMAIN=%s', (written) => {
    expect(faultsOf({ COOKIE_DOMAIN: written })).toHaveLength(1);
  });

  it('require a COOKIE_DOMAIN that contains the host of PUBLIC_URL', () => {
    const faultsAt = (PUBLIC_URL: string): string[] =>
      faultsOf({ PUBLIC_URL, COOKIE_DOMAIN: 'example.com' });
    expect(faultsAt('https://example.com')).toEqual([]);
    expect(faultsAt('https://api.example.com/doorward')).toEqual([]);
    expect(faultsAt('https://example.org')).toHaveLength(1);
    expect(faultsAt('https://badexample.com')).toHaveLength(1);
  });

  it.each(['https://a.example/path', 'a.example', 'true', 'https://a.example/'])(
    'refuse CORS_ORIGIN=%s',
    (written) => {
      expect(faultsOf({ CORS_ORIGIN: written })).toHaveLength(1);
    },
  );

  it('read a list of origins', () => {
    const { corsOrigins } = configOf({ CORS_ORIGIN: 'https://a.example, http://b.example:81' });
    expect(corsOrigins).toEqual(['https://a.example', 'http://b.example:81']);
  });
});

describe('faults', () => {
  it('are all listed at once, by name, without the values', () => {
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
});

it('a password is taken as it is', () => {
  const ADMIN_PASSWORD = ' three-green-kettles ';
  expect(configOf({ ADMIN_PASSWORD }).adminPassword).toBe(ADMIN_PASSWORD);
  expect(configOf({ ADMIN_PASSWORD: '  ' }).adminPassword).toBeUndefined();
});

describe('the secret', () => {
  it.each([
    ['missing', ''],
    ['short', 'a'.repeat(5) + 'bcdefghijk'],
    ['a placeholder', 'please-change-me-please-change-me-1'],
    ['one letter over and over', 'a'.repeat(40)],
    ['words', 'correct-horse-battery-staple-forever'],
    ['words without anything between', 'thequickbrownfoxjumpsoverthelazydog'],
    ['words with capitals and figures', 'WinterComesEarlyInTheMountains2024!'],
    ['words of another language', 'der schnelle braune fuchs springt ueber den hund'],
  ])('is refused in production when %s', (_, secret) => {
    const faults = faultsOf({ NODE_ENV: 'production', SECRET: secret });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain('SECRET');
  });

  it('may be a list: the one in use first, the replaced ones after it', () => {
    const list = ` ${STRONG}, ${OTHER},${STRONG},`;
    expect(configOf({ NODE_ENV: 'production', SECRET: list }).secrets).toEqual([STRONG, OTHER]);
  });

  it.each([
    ['one that is short', `${STRONG},short`, /number 2 .* 32 characters/],
    ['a placeholder first', `change-me-change-me-change-me-change-me,${STRONG}`, /number 1/],
    ['words', `${STRONG},correct-horse-battery-staple-forever`, /number 2 .* words/],
    ['nothing but commas', ',,', /is required/],
  ])('is refused in production where the list holds %s', (_, SECRET, fault) => {
    const faults = faultsOf({ NODE_ENV: 'production', SECRET });
    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(faults[0]).not.toContain('change-me');
  });

  it('is accepted in production when strong', () => {
    expect(configOf({ NODE_ENV: 'production' }).secrets[0]).toBe(STRONG);
  });

  it.each(['base64', 'base64url', 'hex'] as const)(
    'is accepted when a machine made it (%s)',
    (form) => {
      for (let number = 0; number < 500; number += 1) {
        // The same in every run: hashes of the numbers.
        const secret = createHash('sha384').update(String(number)).digest(form);
        expect(configOf({ NODE_ENV: 'production', SECRET: secret }).secrets[0]).toBe(secret);
      }
    },
  );

  it('that cannot be stored is reported in plain words', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'doorward-')), 'file');
    writeFileSync(file, '');
    const start = (): string => new AppConfig({ DATA_DIR: join(file, 'data') }).secrets[0];
    expect(start).toThrow(StartupError);
    expect(start).toThrow(/DATA_DIR/);
  });

  it('is made once outside production and stored for the owner alone', () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'doorward-')), 'data');
    const first = new AppConfig({ DATA_DIR: dataDir }).secrets[0];
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(new AppConfig({ DATA_DIR: dataDir }).secrets[0]).toBe(first);
    const file = join(dataDir, 'secret');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim()).toBe(first);
  });

  it('is made anew where the stored file is empty', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'doorward-'));
    writeFileSync(join(dataDir, 'secret'), '');
    expect(new AppConfig({ DATA_DIR: dataDir }).secrets[0].length).toBeGreaterThanOrEqual(32);
  });

  it('is not written while another setting is wrong', () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'doorward-')), 'data');
    expect(() => new AppConfig({ DATA_DIR: dataDir, PORT: 'x' })).toThrow(StartupError);
    expect(existsSync(dataDir)).toBe(false);
  });
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
    ...['*', 'a.example.com', '//a.example.com', 'javascript:alert(1)', 'myapp://reset'],
    ...['https://a.example.com?x=1', 'https://a.example.com/#/reset', 'https://a@example.com'],
    ...['https:example.com', 'https://a.example.com\\b', 'https://ok.example.com, no'],
  ])('is refused with %s in it', (list) => {
    expect(faultsOf(read(list))).toEqual([
      expect.stringContaining('PASSWORD_RESET_URL_ALLOW_LIST'),
    ]);
  });
});
