import { RuntimeException } from '@nestjs/core/errors/exceptions/index.js';
import { DatabaseError } from 'pg';
import { CommandFault } from './common/command';
import { StartupError } from './config/startup-error';

type Code = NodeJS.ErrnoException & { readonly address?: string; readonly hostname?: string };

const DATABASE = 'Check DATABASE_URL, and DATABASE_DIRECT_URL if it is set.';

/** Sentences by the code with which PostgreSQL refuses a start. */
const REFUSED: Readonly<Record<string, string>> = {
  '28P01': `The database refuses this user name and password. ${DATABASE}`,
  '28000': `The database refuses this user: it does not exist, or may not connect from this host. ${DATABASE}`,
  '3D000': `There is no database of that name. Create it, or check DATABASE_URL.`,
  '42501': 'The role in DATABASE_URL may not do what the start needs: it must own the database.',
  '53300': 'The database has no connection left for this process.',
  '08P01':
    'A pooler or proxy in front of the database refuses the connection. A pooler in transaction mode needs DATABASE_STATEMENT_NAMES=false, and a DATABASE_DIRECT_URL that bypasses it; otherwise look into its log.',
  '57014': 'A statement of the start took too long. Raise STATEMENT_TIMEOUT.',
  '57P03': 'The database is starting up or shutting down. Try again in a moment.',
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
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_ALTNAME)/;
const NO_TLS = 'The server does not support SSL connections';
/** Errors of `pg` where the server ended the connection, and where it does not answer; they have no code. */
const ENDED = 'Connection terminated unexpectedly';
const SILENT = new Set([
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
]);
const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST']);

/**
 * What an operator is shown of a failed start: a sentence where they can fix it, without anything that may be
 * secret. Anything else is a fault of ours: the error itself, with its stack.
 */
export function failureText(error: unknown): unknown {
  if (error instanceof StartupError || error instanceof CommandFault) return error.message;
  if (!(error instanceof Error)) return error;
  if (error instanceof RuntimeException) return firstParagraph(error.message);
  const { code = '', path } = error as Code;
  const refused = REFUSED[code];
  if (refused !== undefined) return `${refused} (${code})`;
  if (UNREACHABLE.has(code)) {
    return `The database cannot be reached${placeOf(error)}. ${DATABASE} (${code})`;
  }
  if (SILENT.has(error.message)) return `The database does not answer. ${DATABASE}`;
  if (error.message === ENDED) {
    return `The database server ended the connection: it is shutting down, or is not PostgreSQL. ${DATABASE}`;
  }
  // It refuses the session, not a statement.
  if (error instanceof DatabaseError && error.severity === 'FATAL') {
    return `The database refuses the connection: ${error.message}. ${DATABASE} (${code})`;
  }
  if (error.message === NO_TLS) {
    return 'The database does not accept TLS connections, but DATABASE_URL asks for one. Remove sslmode from it, or turn on ssl at the server.';
  }
  if (UNTRUSTED.test(code)) {
    return `The certificate of the database is not trusted: ${error.message}. Name the file of its CA in DATABASE_URL (sslrootcert=…), or, if it need not be checked, set sslmode=no-verify. (${code})`;
  }
  if (UNWRITABLE.has(code) && path !== undefined) {
    return `${path} cannot be written. Set DATA_DIR to a folder that can be written. (${code})`;
  }
  return error.cause === undefined ? error : causeText(error);
}

/** Nest says first which provider of a team's module is missing, and where; its guesses and its stack do not help. */
const firstParagraph = (message: string): string =>
  (message.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s*\n\s*/g, ' ').trim();

/** The sentence for the cause, if there is one; otherwise the error. */
function causeText(error: Error): unknown {
  const text = failureText(error.cause);
  return typeof text === 'string' ? text : error;
}

function placeOf({ address, hostname, port }: Code & { readonly port?: number }): string {
  const host = hostname ?? address;
  if (host === undefined) return '';
  return ` at ${host}${port === undefined ? '' : `:${port}`}`;
}
