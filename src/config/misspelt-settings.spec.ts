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

  it('a name similar to a setting that is set belongs to another program', () => {
    expect(misspeltSettings({ DATABASE_URL: 'value', DATABASE_URI: 'value' })).toEqual([]);
    expect(misspeltSettings({ DATABASE_URL: '', DATABASE_URI: 'value' })).toHaveLength(1);
  });
});
