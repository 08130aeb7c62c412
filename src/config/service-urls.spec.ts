import { configOf, faultsOf } from './app-config.spec-support';

describe('a URL', () => {
  const PRIVATE = 'canary';

  it.each([
    ...['https://example.com/?a=1', 'https://example.com/#/app', 'https://example.com?'].map(
      (url) => ['PUBLIC_URL', url, 'without a user, a query and a fragment'],
    ),
    ['PUBLIC_URL', `https://user:${PRIVATE}@example.com`, 'without a user'],
    ['PUBLIC_URL', 'https://example.com/a b', 'has a blank: write it as %20'],
    ['PUBLIC_URL', 'https:example.com', 'begins with http:// or https://'],
    ['SMTP_URL', 'smtp:mail.example.com', 'begins with smtp:// or smtps://'],
    ['SMTP_URL', 'smtp://', 'must name the host'],
    ...['10m', 'abc', '-1', 'Infinity', '1.5', '1&socketTimeout=2'].map((time) => [
      'SMTP_URL',
      `smtp://u:${PRIVATE}@mail.example.com?socketTimeout=${time}`,
      'has socketTimeout, which must be a whole number',
    ]),
    ['SMTP_URL', 'smtp://mail.example.com?pool=true&maxConnections=two', 'maxConnections'],
    ['SMTP_URL', 'smtp://mail.example.com?ignoreTLS=no', 'ignoreTLS, which must be true or false'],
    ...[
      'logger=true',
      'debug=true',
      'connection=1',
      'socket=1',
      'transactionLog=true',
      'Pool=true',
    ].map((option) => [
      'SMTP_URL',
      `smtp://u:${PRIVATE}@mail.example.com?pool=true&${option}`,
      `has ${option.split('=', 1)[0]}, which is not one of its options: pool, `,
    ]),
    ['SMTP_URL', 'smtp://mail.example.com?__proto__=1', 'has __proto__, which is not one of'],
    ['SMTP_URL', `smtp://u:12?a&${PRIVATE}@mail.example.com`, 'in a password write ? as %3F'],
    ...[
      'tls.rejectUnauthorized=0',
      'tls.minVersion=TLSv9',
      'tls.servername=12',
      'servername=0x1',
      'localAddress=5',
      'authMethod=XOAUTH2',
      'name=a%20b',
      'name=',
    ].map((option) => [
      'SMTP_URL',
      `smtp://mail.example.com?${option}`,
      `has ${option.split('=', 1)[0]}, which must be `,
    ]),
    ['DATABASE_URL', 'postgres:localhost/x', 'begins with postgres:// or postgresql://'],
    ['DATABASE_URL', `postgres://user:${PRIVATE}#@localhost/x`, '# as %23'],
    ['DATABASE_URL', `postgres://u@/d?host=/tmp&sslcert=/no/${PRIVATE}`, 'sslcert (ENOENT)'],
    ...[
      `u:${PRIVATE}@one:5432,two:5433/x?target_session_attrs=read-write`,
      'one,two/x',
      '/x?host=one,two',
    ].map((rest) => ['DATABASE_URL', `postgres://${rest}`, 'may name one host']),
    ['SMTP_URL', 'smtp://user@/', 'as %23'],
    ['DATABASE_URL', `postgres://user:${PRIVATE}%@localhost/x`, 'write it as %25'],
    ['DATABASE_URL', 'postgres://user@localhost/x%ff', 'write it as %25'],
    ...['sslrootcert', 'sslcert', 'sslkey'].map((option) => [
      'DATABASE_URL',
      `postgres://user:${PRIVATE}@localhost/x?${option}=/no/such/file`,
      `names a file that cannot be read: ${option} (ENOENT)`,
    ]),
    ['REDIS_URL', `redis://:${PRIVATE}%@localhost`, 'write it as %25'],
    ...[
      '/abc',
      '/-1',
      '/1.5',
      '/0/',
      '/1?db=2',
      '?db=x',
      '?db=-1',
      '?db=1&db=2',
      '?db=',
      '/%31',
    ].map((end) => [
      'REDIS_URL',
      `redis://:${PRIVATE}@localhost${end}`,
      'the number of a database',
    ]),
  ])('is refused with the name of its variable: %s=%s', (name, url, reason) => {
    const faults = faultsOf({ [name]: url });
    expect(faults).toEqual([expect.stringContaining(`${name} `)]);
    expect(faults[0]).toContain(reason);
    expect(faults[0]).not.toContain(PRIVATE);
  });

  it.each([
    ['PUBLIC_URL', 'HTTPS://example.com/doorward/'],
    ['SMTP_URL', 'smtps://user%40example.com:p%25@mail.example.com:465?pool=true'],
    ['SMTP_URL', 'smtp://mail.example.com?socketTimeout=1000&pool=1&tls.rejectUnauthorized=false'],
    ...[
      'requireTLS=true&tls.minVersion=TLSv1.3&tls.servername=1.mail.example.com',
      'name=[::1]',
      'rateDelta=1000&rateLimit=5&maxRequeues=2',
      'localAddress=10.0.0.5',
      'authMethod=login',
    ].map((options) => ['SMTP_URL', `smtp://mail.example.com?${options}`]),
    ['DATABASE_URL', 'postgres:///doorward?host=/var/run/postgresql'],
    ['DATABASE_URL', 'postgres://u:a,b@localhost/x,y?application_name=a,b'],
    ['DATABASE_URL', 'postgresql://postgres@/d?host=/tmp/pg&port=5433'],
    ['DATABASE_URL', 'postgresql://u:p@/d?host=/tmp/pg'],
    ['DATABASE_URL', 'postgresql://%2Fvar%2Frun%2Fpostgresql/doorward'],
    ['DATABASE_URL', `postgres://user@localhost/x?sslmode=verify-full&sslrootcert=${__filename}`],
    ['REDIS_URL', 'rediss://:p%40ss@localhost:6380/1'],
    ...['', '/', '/15', '?db=15', '?family=6'].map((end) => [
      'REDIS_URL',
      `redis://localhost${end}`,
    ]),
  ])('is accepted: %s=%s', (name, url) => {
    expect(faultsOf({ [name]: url })).toEqual([]);
  });
});

describe('the TLS of DATABASE_URL', () => {
  it.each([
    ['?sslmode=require', '?sslmode=verify-full'],
    [
      '?application_name=a&sslmode=prefer&connect_timeout=5',
      '?application_name=a&sslmode=verify-full&connect_timeout=5',
    ],
    ['?sslmode=verify-ca&sslmode=require', '?sslmode=verify-full&sslmode=verify-full'],
    ['?sslmode=no-verify', '?sslmode=no-verify'],
    ['?sslmode=disable', '?sslmode=disable'],
    ['?uselibpqcompat=true&sslmode=require', '?uselibpqcompat=true&sslmode=require'],
    ['?application_name=sslmode=require', '?application_name=sslmode=require'],
  ])('is checked as the driver checks it, without its warning: %s', (options, used) => {
    const url = 'postgres://user:p%3Fsslmode=require@localhost/x';
    expect(configOf({ DATABASE_URL: url + options }).databaseUrl).toBe(url + used);
  });
});
