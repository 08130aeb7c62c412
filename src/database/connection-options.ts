import { Logger } from '@nestjs/common';
import { Pool, type PoolConfig } from 'pg';
import type { PostgresStorage } from './storage';
import { typeParsers } from './type-parsers';

/** The listener of a pool: an idle connection that breaks must not end the process. */
export const warnOfBreak = (error: Error): void =>
  new Logger('Database').warn(`An idle connection broke: ${error.message}`);

const POOL_SIZE = 10;
/** In ms. A statement that waits for its own transaction's connection fails instead of hanging. */
export const CONNECTION_TIMEOUT = 15_000;
/** Milliseconds before the kernel probes the other end of a quiet connection. */
const KEEP_ALIVE_AFTER = 10_000;
/**
 * After waiting for a lock, a statement must see what was committed meanwhile. JIT compilation takes tens of
 * milliseconds, and these statements are short. With fewer digits a number would not be read as it was stored, the
 * catalogue's names of types are compared without quotes, a backslash in a literal stands for itself, and a NULL in an
 * array is not the text `NULL`.
 */
const SESSION = [
  '-c TimeZone=UTC -c DateStyle=ISO -c default_transaction_isolation=read\\ committed -c extra_float_digits=1',
  '-c quote_all_identifiers=off -c standard_conforming_strings=on -c array_nulls=on -c jit=off',
].join(' ');

/** Milliseconds after which PostgreSQL gives up; 0: never. The embedded server has no timeouts. */
export interface Timeouts {
  readonly statement: number;
  readonly lock: number;
}

export const NO_TIMEOUTS: Timeouts = { statement: 0, lock: 0 };

/** How the driver connects to a PostgreSQL server. */
export function connectionOptions(
  { url, statementNames = true }: PostgresStorage,
  { statement, lock }: Timeouts,
): { readonly url: string; readonly extra: object } {
  const options = `${SESSION} -c statement_timeout=${statement} -c lock_timeout=${lock}`;
  return {
    url,
    extra: {
      types: typeParsers,
      // A pooler would refuse the connection for these options, or lose them with the session.
      ...(statementNames && { options }),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
      max: POOL_SIZE,
      // BEGIN is sent with the first statement, and the last one with the COMMIT.
      pipeline: true,
      // Connections are kept open: a timer at each release would cost more than they do.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CONNECTION_TIMEOUT,
      application_name: 'doorward',
    },
  };
}

/** A small pool like the service's own, beside the one that transactions use. */
export function openSidePool(storage: PostgresStorage, timeouts: Timeouts, size: number): Pool {
  const { url, extra } = connectionOptions(storage, timeouts);
  const pool = new Pool({ connectionString: url, ...(extra as PoolConfig), max: size });
  return pool.on('error', warnOfBreak);
}
