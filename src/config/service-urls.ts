import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type EnvReader, withHost } from './env-reader';

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

/** As libpq takes them to find a primary; the driver would look for a host whose name is the list. */
const SEVERAL_HOSTS =
  /^[a-z]+:\/\/(?:[^/?#]*@)?[^/?#@]*,[^/?#@]*(?:[/?#]|$)|[?&]host=[^&]*(?:,|%2C)/i;

const PARTIAL_CHECK = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g;

/**
 * The driver reads the files that the URL names whenever it connects.
 * @returns with `sslmode=verify-full` in place of modes that sound weaker: the driver checks as much for these, but prints
 * a warning that its next version will not
 */
export function readDatabaseUrl(env: EnvReader, name: string): string | undefined {
  if (SEVERAL_HOSTS.test(env.text(name) ?? '')) {
    env.fault(
      name,
      'may name one host: give it an address that always leads to the primary server',
    );
    return undefined;
  }
  const url = env.url(name, ['postgres:', 'postgresql:'], true);
  if (url === undefined) return undefined;
  const { searchParams } = new URL(URL.canParse(url) ? url : withHost(url));
  for (const option of TLS_FILES) {
    for (const file of searchParams.getAll(option).filter((each) => each !== '')) {
      const code = faultOfReading(file);
      if (code !== undefined)
        env.fault(name, `names a file that cannot be read: ${option} (${code})`);
    }
  }
  if (searchParams.get('uselibpqcompat') === 'true') return url;
  return url.replaceAll(PARTIAL_CHECK, 'verify-full');
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

/** What the value of an option must be. */
interface OptionRule {
  readonly pattern: { test(value: string): boolean };
  readonly kind: string;
}

/** The library makes a number of whatever is one. */
const isHost = (text: string): boolean =>
  /^[a-z\d.-]{1,253}$/i.test(text) && Number.isNaN(Number(text));
const NUMBER = { pattern: /^\d{1,9}$/, kind: 'a whole number' };
const FLAG = { pattern: /^(?:true|false|1|0)$/, kind: 'true or false' };
const HOST = { pattern: { test: isHost }, kind: 'the name of a host' };
const TLS_VERSION = { pattern: /^TLSv1\.[23]$/, kind: 'TLSv1.2 or TLSv1.3' };

/**
 * The options of the mail library that may be set, and what they must be: with anything else, it would end the process
 * with the first mail. Others are refused: some write mails with their tokens to the log.
 */
const SMTP_OPTIONS: Readonly<Record<string, OptionRule>> = {
  pool: FLAG,
  maxConnections: NUMBER,
  maxMessages: NUMBER,
  maxRequeues: NUMBER,
  rateLimit: NUMBER,
  rateDelta: NUMBER,
  idleTimeout: NUMBER,
  connectionTimeout: NUMBER,
  greetingTimeout: NUMBER,
  socketTimeout: NUMBER,
  socketCloseTimeout: NUMBER,
  dnsTimeout: NUMBER,
  maxResponseSize: NUMBER,
  secure: FLAG,
  ignoreTLS: FLAG,
  requireTLS: FLAG,
  opportunisticTLS: FLAG,
  lmtp: FLAG,
  name: { pattern: /^[\w.:[\]-]{1,255}$/, kind: 'the name of a host' },
  servername: HOST,
  'tls.servername': HOST,
  'tls.minVersion': TLS_VERSION,
  'tls.maxVersion': TLS_VERSION,
  // Node would take 0 for true.
  'tls.rejectUnauthorized': { pattern: /^(?:true|false)$/, kind: 'true or false' },
  authMethod: { pattern: /^(?:PLAIN|LOGIN|CRAM-MD5)$/i, kind: 'PLAIN, LOGIN or CRAM-MD5' },
  localAddress: { pattern: { test: (text) => isIP(text) !== 0 }, kind: 'an IP address' },
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
  const options = [...new Set(searchParams.keys())];
  if (!options.every(isSmtpOption) && url.includes('@', url.indexOf('?'))) {
    env.fault(name, 'has an @ after a ?: in a password write ? as %3F');
    return undefined;
  }
  for (const option of options) {
    const reason = faultOfOption(option, searchParams.getAll(option));
    if (reason !== undefined) env.fault(name, reason);
  }
  return url;
}

const isSmtpOption = (name: string): boolean => Object.hasOwn(SMTP_OPTIONS, name);

function faultOfOption(option: string, [value = '', ...more]: string[]): string | undefined {
  const rule = SMTP_OPTIONS[option];
  if (rule === undefined || !isSmtpOption(option)) {
    return `has ${option}, which is not one of its options: ${Object.keys(SMTP_OPTIONS).join(', ')}`;
  }
  // Of a repeated option, the library would make a list.
  if (rule.pattern.test(value) && more.length === 0) return undefined;
  return `has ${option}, which must be ${rule.kind}`;
}
