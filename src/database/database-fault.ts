import { DatabaseError } from 'pg';
import { ServiceUnavailable } from '../common/errors';
import { EngineEnded, NO_ROOM } from './embedded/engine';

/**
 * The server is shutting down, starting up, full or read-only, or has ended the session, for example since it was idle;
 * class 08 is a lost connection.
 */
const UNAVAILABLE = /^(57P0[1-5]|25P03|53[123]00|08...|25006)$/;
/** How the driver and its sockets report a lost connection. */
const LOST =
  /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout exceeded when trying)/;
const LOST_SOCKET: ReadonlySet<unknown> = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ERR_STREAM_DESTROYED'],
]);
const CONTENDED = 'the request conflicts with others';
/** Errors with which the server gives up on a statement or refuses it, and the public reason: the caller may try again. */
const GIVEN_UP: Readonly<Record<string, string>> = {
  '57014': 'the request took too long',
  '25P04': 'the request took too long',
  '55P03': 'the request waited too long for a lock',
  '40P01': CONTENDED,
  '40001': CONTENDED,
  '53100': NO_ROOM,
  '53400': 'the request needs more room than the server grants',
  '25006': 'it takes no writes now',
};
const LACKS = 'a table or column is missing in it';
const NOT_ALLOWED = 'it does not allow the service to do this';
/** Where the code of a missing right means something else: a row security policy, or a trigger that raises it. */
const OTHER_REFUSALS: readonly (string | undefined)[] = ['ExecWithCheckOptions', 'exec_stmt_raise'];
/** A connection and the server's session disagree about prepared names. */
const NAMES_DIFFER: readonly (string | undefined)[] = ['26000', '42P05'];

/** The server or a pooler has ended the session: on a shutdown, on a command, or since the session was idle. */
const SESSION_ENDED = /^(57P0[1245]|25P0[34])$/;

/**
 * The errors of statements and connections, noted where they are sent and opened. A hook may throw errors of the same
 * classes and codes, from clients of its own: these say nothing about our connection.
 */
const raised = new WeakSet<Error>();

/** Notes that the driver raised this error, not code that runs in a transaction. */
export function noteRaised(error: unknown): void {
  if (error instanceof Error) raised.add(error);
}

/** Errors of statements that need a declared table or column which is missing. */
const lacking = new WeakSet<Error>();

/** Notes that the error means that what the entities declare is missing in the database. */
export function noteLacking(error: unknown): void {
  if (error instanceof Error) lacking.add(error);
}

const isRaised = (error: unknown): error is Error => raised.has(error as Error);

/** The server's own answer to one of our statements or connections. */
export const serverError = (error: unknown): DatabaseError | undefined =>
  isRaised(error) && error instanceof DatabaseError ? error : undefined;

/** Whether nothing that was sent after this statement will be answered. */
export const endsSession = ({ code = '', severity = '' }: DatabaseError): boolean =>
  SESSION_ENDED.test(code) || ['FATAL', 'PANIC'].includes(severity);

/**
 * Whether only a new connection may reach what was asked for: another server may have taken over from one that takes no
 * writes, and a session that lacks a declared table keeps the `search_path` that its role had when it began.
 */
export const mayBeElsewhere = (error: unknown): boolean => {
  const code = serverError(error)?.code;
  return code === '25006' || (code === '42P01' && lacking.has(error as Error));
};

/** Whether the server, the database or the role has no connection left. */
export const isServerFull = (error: unknown): boolean => serverError(error)?.code === '53300';

/** Whether a pooler in between lends sessions of the server for one transaction at a time. */
export const isSessionShared = (error: unknown): boolean => {
  const known = serverError(error);
  return known !== undefined && NAMES_DIFFER.includes(known.code);
};

/** Whether a prepared statement returns other types than when it was prepared: a migration changed its columns. */
export const isPlanOutdated = (error: unknown): boolean =>
  serverError(error)?.routine === 'RevalidateCachedQuery';

/** Whether what failed may succeed when all of it is sent again, after `Connections.adaptTo`. */
export const mayRepeat = (error: unknown): boolean =>
  isSessionShared(error) || isPlanOutdated(error);

/** Whether the connection is unusable: nothing sent on it will be answered. */
export function isConnectionLost(error: unknown): boolean {
  if (!isRaised(error) || error instanceof DatabaseError) return false;
  if (error instanceof EngineEnded) return true;
  return LOST.test(error.message) || LOST_SOCKET.has((error as { code?: unknown }).code);
}

/**
 * A hook may throw anything, also what fails when it is read. Whoever then reads it would not return the connection.
 * @returns the error itself, where it can be read
 */
export function readable(error: unknown): unknown {
  try {
    if (error instanceof Error) void [error.message, (error as { code?: unknown }).code];
    return error;
  } catch (cause) {
    return new Error('Something was thrown that cannot be read', { cause });
  }
}

/** A public reason why the database failed. */
export function reasonOf(error: unknown): string | undefined {
  if (!isRaised(error)) return undefined;
  if (error instanceof EngineEnded) return error.reason;
  if (lacking.has(error)) return LACKS;
  const { code = '', routine } = serverError(error) ?? {};
  if (code === '42501' && !OTHER_REFUSALS.includes(routine)) return NOT_ALLOWED;
  return GIVEN_UP[code];
}

/** Converts a failure of the database into a public error; leaves any other error as it is. */
export function translateFault(error: unknown): unknown {
  const code = serverError(error)?.code;
  const reason = reasonOf(error);
  const unavailable = code !== undefined && UNAVAILABLE.test(code);
  if (reason === undefined && !unavailable && !isConnectionLost(error)) return error;
  return new ServiceUnavailable(
    { service: 'database', ...(reason !== undefined && { reason }) },
    { cause: error },
  );
}
