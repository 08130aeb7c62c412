import { misspeltSettings } from './misspelt-settings';

describe('variables that were probably meant to be settings', () => {
  it.each<[string, string]>([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['ACCES_TOKEN_TTL', 'ACCESS_TOKEN_TTL'],
    ['SECRETS', 'SECRET'],
    ['Public_Url', 'PUBLIC_URL'],
  ])('%s is named, and %s', (name, meant) => {
    expect(misspeltSettings({ [name]: 'value' })).toEqual([
      `${name} is not a setting. Is ${meant} meant?`,
    ]);
  });

  it.each(['DATABASE_URL', 'SORT', 'HOME', 'PATH', 'HOSTNAME', 'AUTH_ACME_ISSUER_URL', 'PGHOST'])(
    '%s is not',
    (name) => {
      expect(misspeltSettings({ [name]: 'value' })).toEqual([]);
    },
  );

  it.each<[string, string]>([
    ['AUTH_ACME_SATISFIES_TF', 'AUTH_ACME_SATISFIES_TFA'],
    ['AUTH_ACME_REDIRECT_ALLOWLIST', 'AUTH_ACME_REDIRECT_ALLOW_LIST'],
    ['AUTH_ACME_EU_CLIENT_IT', 'AUTH_ACME_EU_CLIENT_ID'],
  ])('those of a provider are named: %s, and %s', (name, meant) => {
    expect(misspeltSettings({ AUTH_PROVIDERS: 'acme, acme_eu', [name]: 'value' })).toEqual([
      `${name} is not a setting. Is ${meant} meant?`,
    ]);
  });

  it('a provider has no other settings', () => {
    const environment = { AUTH_PROVIDERS: 'acme', AUTH_ACME_TWO_FACTOR: 'false' };
    expect(misspeltSettings(environment)).toEqual([
      'AUTH_ACME_TWO_FACTOR is not a setting of a sign-in provider.',
    ]);
    const right = {
      AUTH_PROVIDERS: 'acme',
      AUTH_ACME_SCOPE: 'openid',
      AUTH_DISABLE_DEFAULT: 'true',
    };
    expect(misspeltSettings(right)).toEqual([]);
  });

  it('a name similar to a setting that is set belongs to another program', () => {
    expect(misspeltSettings({ DATABASE_URL: 'value', DATABASE_URI: 'value' })).toEqual([]);
    expect(misspeltSettings({ DATABASE_URL: '', DATABASE_URI: 'value' })).toHaveLength(1);
  });
});
