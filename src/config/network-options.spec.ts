import express, { type Response } from 'express';
import { configOf, faultsOf } from './app-config.spec-support';

/** A response with only what setting a cookie needs. */
const sent = (): Response =>
  Object.assign(Object.create(express.response) as Response, {
    append: () => undefined,
    req: {},
    app: express(),
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
    // Express parses it at the start.
    expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
  });

  it.each([
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/',
    '10.0.0.0/08',
    'abc',
    '::g',
    '::1/129',
    'fe80::1%eth0',
    ',',
    'loopback,all',
    '10.0.0.1/255.0.0.0.0',
    '-1',
    '100',
  ])('refuse TRUST_PROXY=%s', (written) => {
    expect(faultsOf({ TRUST_PROXY: written })).toHaveLength(1);
  });

  it.each(['example.com', '.example.com', 'localhost', 'a-b.example', 'xn--bcher-kva.example'])(
    'accept COOKIE_DOMAIN=%s',
    (written) => {
      const { cookieDomain } = configOf({ COOKIE_DOMAIN: written });
      expect(cookieDomain).toBe(written);
      expect(() => sent().cookie('a', 'b', { domain: written })).not.toThrow();
    },
  );

  it.each([
    'example.com; path=/',
    'https://example.com',
    'example..com',
    '-a.example',
    'exa mple.com',
    'bücher.example',
    '10.0.0.1',
    '::1',
    '*.example.com',
    '.',
    `${'a'.repeat(64)}.example`,
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

  it.each([
    ['~!scraper-token#', []],
    ['short', [expect.stringContaining('METRICS_TOKEN')]],
    ['a-token-with-a blank', [expect.stringContaining('METRICS_TOKEN')]],
    ['schlüssel-der-messung', [expect.stringContaining('ASCII')]],
    ['a-token-with-a-\u007f', [expect.stringContaining('ASCII')]],
  ])('METRICS_TOKEN=%s', (METRICS_TOKEN, faults) => {
    expect(faultsOf({ METRICS_TOKEN })).toEqual(faults);
  });

  it('read a list of origins', () => {
    const { corsOrigins } = configOf({ CORS_ORIGIN: 'https://a.example, http://b.example:81' });
    expect(corsOrigins).toEqual(['https://a.example', 'http://b.example:81']);
  });
});
