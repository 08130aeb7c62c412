import { configOf, faultsOf } from './app-config.spec-support';

describe('external providers', () => {
  const ACME = {
    AUTH_PROVIDERS: 'Acme',
    AUTH_ACME_ISSUER_URL: 'https://id.example/realm',
    AUTH_ACME_CLIENT_ID: 'doorward',
    AUTH_ACME_CLIENT_SECRET: 'a secret',
  };

  it('are not configured by default', () => {
    expect(configOf()).toMatchObject({ authProviders: [], authDisableDefault: false });
  });

  it('need an issuer and a client, and allow only what is configured', () => {
    expect(configOf(ACME).authProviders).toEqual([
      {
        name: 'acme',
        issuerUrl: 'https://id.example/realm',
        clientId: 'doorward',
        clientSecret: 'a secret',
        scope: 'openid profile email',
        label: 'acme',
        icon: null,
        identifierKey: 'sub',
        defaultRoleId: null,
        allowPublicRegistration: false,
        requireVerifiedEmail: true,
        satisfiesTfa: true,
        mode: 'session',
        redirectAllowList: [],
      },
    ]);
    expect(faultsOf({ AUTH_PROVIDERS: 'acme' })).toEqual([
      expect.stringContaining('AUTH_ACME_ISSUER_URL is required'),
      expect.stringContaining('AUTH_ACME_CLIENT_ID is required'),
      expect.stringContaining('AUTH_ACME_CLIENT_SECRET is required'),
    ]);
  });

  it.each(['default', 'Default', 'acme,acme', 'acme,ACME', 'a-b', '1a', 'a/b', 'x'.repeat(65)])(
    'cannot be called %s',
    (names) => {
      expect(faultsOf({ ...ACME, AUTH_PROVIDERS: names })).toEqual([
        expect.stringContaining('AUTH_PROVIDERS must list'),
      ]);
    },
  );

  it('have their own faults listed beside those of the names', () => {
    expect(
      faultsOf({ ...ACME, AUTH_PROVIDERS: 'acme,Acme,a-b', AUTH_ACME_SCOPE: 'email' }),
    ).toEqual([
      expect.stringContaining('AUTH_PROVIDERS must list'),
      expect.stringContaining('AUTH_ACME_SCOPE must contain openid'),
    ]);
  });

  it.each([
    ['ISSUER_URL', 'id.example'],
    ['ISSUER_URL', 'ftp://id.example'],
    ['SCOPE', 'profile email'],
    ['IDENTIFIER_KEY', 'a claim'],
    ['DEFAULT_ROLE_ID', 'Guests'],
    ['MODE', 'json'],
    ['REDIRECT_ALLOW_LIST', 'https://a.example,b.example'],
    ['REDIRECT_ALLOW_LIST', '*'],
    ['REQUIRE_VERIFIED_EMAIL', 'perhaps'],
    ['SATISFIES_TFA', 'perhaps'],
  ])('AUTH_ACME_%s is not %s', (name, value) => {
    const variable = `AUTH_ACME_${name}`;
    expect(faultsOf({ ...ACME, [variable]: value })).toEqual([expect.stringContaining(variable)]);
  });

  it('must be reached by HTTPS in production', () => {
    const insecure = { ...ACME, AUTH_ACME_ISSUER_URL: 'http://id.example' };
    expect(faultsOf(insecure)).toEqual([]);
    expect(faultsOf({ ...insecure, NODE_ENV: 'production' })).toEqual([
      expect.stringContaining('AUTH_ACME_ISSUER_URL'),
    ]);
  });

  it('are required if passwords cannot be used to sign in', () => {
    expect(faultsOf({ AUTH_DISABLE_DEFAULT: 'true' })).toEqual([
      expect.stringContaining('AUTH_DISABLE_DEFAULT needs AUTH_PROVIDERS'),
    ]);
    expect(configOf({ ...ACME, AUTH_DISABLE_DEFAULT: 'true' }).authDisableDefault).toBe(true);
  });
});
