import { DatabaseError } from 'pg';
import { ServiceUnavailable } from '../common/errors';
import { EngineEnded, NO_ROOM } from './embedded/engine';

/** The server is going down, starting up or full; class 08 is a lost connection. */
const UNAVAILABLE = /^(57P0[123]|53[123]00|08...)$/;
/** What the driver and the sockets beneath it say of a connection that is no more. */
const LOST =
  /^(Connection terminated|Client has encountered|Client was closed|Query read timeout|timeout exceeded when trying)/;
const LOST_SOCKET: ReadonlySet<unknown> = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ERR_STREAM_DESTROYED'],
]);
/** What the server did not do, and why: the caller may try again. */
const GIVEN_UP: Readonly<Record<string, string>> = {
  '57014': 'it took longer than it may',
  '55P03': 'what it needs is locked for too long',
  '53100': NO_ROOM,
};
/** A connection knows a name that the server's session does not, or the other way round. */
const NAMES_DIFFER: readonly (string | undefined)[] = ['26000', '42P05'];

/** Whether a pooler in between lends sessions of the server for a transaction at a time. */
export const isSessionShared = (error: unknown): boolean =>
  error instanceof DatabaseError && NAMES_DIFFER.includes(error.code);

/** Whether the connection is of no use any more: nothing that is sent on it will be answered. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof DatabaseError) return false;
  if (error instanceof EngineEnded) return true;
  return LOST.test(error.message) || LOST_SOCKET.has((error as { code?: unknown }).code);
}

/** What may be told of why the database did not do it. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof EngineEnded) return error.reason;
  return error instanceof DatabaseError ? GIVEN_UP[error.code ?? ''] : undefined;
}

/** Of what the database could not do, what a caller may be told; anything else as it was. */
export function translateFault(error: unknown): unknown {
  const code = error instanceof DatabaseError ? error.code : undefined;
  const reason = reasonOf(error);
  const unavailable = code !== undefined && UNAVAILABLE.test(code);
  if (reason === undefined && !unavailable && !isConnectionLost(error)) return error;
  return new ServiceUnavailable(
    { service: 'database', ...(reason !== undefined && { reason }) },
    { cause: error },
  );
}
