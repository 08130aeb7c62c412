import { Client, DatabaseError } from 'pg';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { StartupError } from '../config/startup-error';
import type { PostgresStorage } from './storage';

type Code = NodeJS.ErrnoException & {
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
};

/** Such as the missing file of a UNIX socket, or one that this user may not open. */
const CONNECTING = 'connect';

const CUT = 'The database server ended the connection. Try again in a moment.';

/** Sentences by the code with which PostgreSQL refuses a connection, and what to check. */
const REFUSED: Readonly<Record<string, (check: string) => string>> = {
  '28P01': (check) => `The database refuses this user name and password. ${check}`,
  '28000': (check) =>
    `The database refuses this user: it does not exist, or may not connect from this host, or only with TLS (sslmode in the URL). ${check}`,
  '3D000': () => 'There is no database of that name. Create it, or check DATABASE_URL.',
  '53300': () => 'The database has no connection left for this process.',
  '08P01': () =>
    'A pooler or proxy in front of the database refuses the connection. A pooler in transaction mode needs DATABASE_STATEMENT_NAMES=false, and a DATABASE_DIRECT_URL that bypasses it; otherwise look into its log.',
  '57P01': () => CUT,
  '57P02': () => CUT,
  '57P03': () => 'The database is starting up or shutting down. Try again in a moment.',
};
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
]);
/** Node's error codes for a bad certificate; `pg` checks it for every `sslmode` but `disable` and `no-verify`. */
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_|CERT_)/;
/** Where a CA would not help: what is wrong with the certificate, and what to do. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'is for another host than DATABASE_URL names. Write a host there that the certificate contains, or, if it need not be checked, set sslmode=no-verify.',
  CERT_HAS_EXPIRED:
    'has expired, or that of its CA. Renew it, or, if it need not be checked, set sslmode=no-verify.',
};
const NO_TLS = 'The server does not support SSL connections';
/** Errors of `pg` where the server ended the connection, and where it does not answer; they have no code. */
const ENDED = 'Connection terminated unexpectedly';
const SILENT = new Set([
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
]);

/**
 * Why no connection can be opened, as a sentence for the operator, without anything that may be secret.
 * @param storage where the connection would lead, if it is known
 * @returns undefined for any other error
 */
export function connectionFailure(error: Error, storage?: PostgresStorage): string | undefined {
  const { code = '', syscall } = error as Code;
  const check = checkOf(storage);
  const refused = REFUSED[code]?.(check);
  if (refused !== undefined) return `${refused} (${code})`;
  const place = storage ? placeIn(storage) : placeOf(error);
  if (UNREACHABLE.has(code) || syscall === CONNECTING)
    return `The database cannot be reached${place}. ${check} (${code})`;
  if (SILENT.has(error.message)) return `The database does not answer${place}. ${check}`;
  if (error.message === ENDED) {
    return `The database server ended the connection: it is shutting down, or is not PostgreSQL. ${check}`;
  }
  // TypeORM has noticed the end of the connection between two statements.
  if (error instanceof QueryRunnerAlreadyReleasedError) return CUT;
  // It refuses the session, not a statement.
  if (error instanceof DatabaseError && error.severity === 'FATAL') {
    return `The database refuses the connection: ${error.message}. ${check} (${code})`;
  }
  if (error.message === NO_TLS) {
    return 'The database does not accept TLS connections, but DATABASE_URL asks for one. Remove sslmode from it, or turn on ssl at the server.';
  }
  const remedy = CERTIFICATE[code];
  if (remedy !== undefined) return `The certificate of the database ${remedy} (${code})`;
  if (UNTRUSTED.test(code)) {
    return `The certificate of the database is not trusted: ${error.message}. Name the file of its CA in DATABASE_URL (sslrootcert=…), or, if it need not be checked, set sslmode=no-verify. (${code})`;
  }
  return undefined;
}

/** The same as an error to end a start with, which an application that imports the service shows too. */
export function asConnectionFailure(error: unknown, storage: PostgresStorage): unknown {
  const text = error instanceof Error ? connectionFailure(error, storage) : undefined;
  return text === undefined ? error : new StartupError(text, { cause: error });
}

const checkOf = (storage: PostgresStorage | undefined): string =>
  storage
    ? `Check ${storage.isDirect === true ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'}.`
    : 'Check DATABASE_URL, and DATABASE_DIRECT_URL if it is set.';

/** As the driver reads the URL, which may leave out any part of it. */
function placeIn({ url }: PostgresStorage): string {
  const { host, port, database = '' } = new Client({ connectionString: url });
  return ` at ${host}:${port} (database "${database}")`;
}

function placeOf({ address, hostname, port }: Code): string {
  const host = hostname ?? address;
  if (host === undefined) return '';
  return ` at ${host}${port === undefined ? '' : `:${port}`}`;
}
