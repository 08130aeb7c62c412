import { readFileSync } from 'node:fs';
import type { EnvReader } from './env-reader';

/** Only an origin and a path: links and comparisons with browsers' origins use nothing else. */
export function readPublicUrl(env: EnvReader, name: string): string | undefined {
  const url = env.url(name, ['http:', 'https:']);
  if (url === undefined) return undefined;
  const { username, password } = new URL(url);
  if (username !== '' || password !== '' || /[?#]/.test(url)) {
    env.fault(name, 'must be a URL without a user, a query and a fragment');
  } else if (/\s/.test(url)) env.fault(name, 'has a blank: write it as %20');
  else return url;
  return undefined;
}

const TLS_FILES = ['sslrootcert', 'sslcert', 'sslkey'];

/** The driver reads the files that the URL names whenever it connects. */
export function readDatabaseUrl(env: EnvReader, name: string): string | undefined {
  const url = env.url(name, ['postgres:', 'postgresql:']);
  if (url === undefined) return undefined;
  const { searchParams } = new URL(url);
  for (const option of TLS_FILES) {
    for (const file of searchParams.getAll(option).filter((each) => each !== '')) {
      const code = faultOfReading(file);
      if (code !== undefined)
        env.fault(name, `names a file that cannot be read: ${option} (${code})`);
    }
  }
  return url;
}

function faultOfReading(file: string): string | undefined {
  try {
    readFileSync(file);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** With a database that is no number the client would end the process, as late as when Redis comes back. */
export function readRedisUrl(env: EnvReader, name: string): string | undefined {
  const url = env.url(name, ['redis:', 'rediss:']);
  if (url === undefined) return undefined;
  const { pathname, searchParams } = new URL(url);
  const path = /^\/?$/.test(pathname) ? [] : [pathname.slice(1)];
  const databases = [...path, ...searchParams.getAll('db')];
  if (databases.length < 2 && databases.every((each) => /^\d{1,9}$/.test(each))) return url;
  env.fault(
    name,
    'must end with the number of a database, as in redis://localhost:6379/1, or none',
  );
  return undefined;
}

/** What an option of the mail library must be: with anything else, it would end the process with the first mail. */
const NUMBER = { pattern: /^\d{1,9}$/, kind: 'a whole number' };
const FLAG = { pattern: /^(?:true|false|1|0)$/, kind: 'true or false' };
const SMTP_OPTIONS = {
  ...{ connectionTimeout: NUMBER, greetingTimeout: NUMBER, socketTimeout: NUMBER },
  ...{ socketCloseTimeout: NUMBER, dnsTimeout: NUMBER },
  ...{ maxConnections: NUMBER, maxMessages: NUMBER, rateLimit: NUMBER, rateDelta: NUMBER },
  ...{ pool: FLAG, secure: FLAG, ignoreTLS: FLAG, requireTLS: FLAG },
};

/** Times in its options are in milliseconds; the library gives an unset option its default. */
export function readSmtpUrl(env: EnvReader, name: string): string | undefined {
  const url = env.url(name, ['smtp:', 'smtps:']);
  if (url === undefined) return undefined;
  const { hostname, searchParams } = new URL(url);
  if (hostname === '') {
    env.fault(name, 'must name the host of a mail server');
    return undefined;
  }
  for (const [option, { pattern, kind }] of Object.entries(SMTP_OPTIONS)) {
    // Of a repeated option, the library would make a list.
    const [value, ...more] = searchParams.getAll(option);
    if (value === undefined || (pattern.test(value) && more.length === 0)) continue;
    env.fault(name, `has ${option}, which must be ${kind}`);
  }
  return url;
}
