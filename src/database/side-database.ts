import type { AppConfig } from '../config/app-config';
import { closePool } from './close-pool';
import { openSidePool } from './connection-options';
import { Database } from './database';
import { directStorage, type PostgresStorage } from './storage';

/** A longer statement is given up: it counts or looks something up while others wait. */
const STATEMENT_TIMEOUT_MS = 2_000;
const SIZE = 2;

/**
 * A few connections beside the pool. A transaction holds one of the pool's, and anything it waits for must not need
 * another: with as many such transactions as connections, each would wait for all the others. For the same reason they
 * bypass a pooler, which lends its own per transaction.
 */
export class SideDatabase extends Database {
  private readonly end: () => Promise<void>;

  constructor(storage: PostgresStorage, { lockTimeout }: AppConfig) {
    const direct = directStorage(storage);
    const pool = openSidePool(direct, { statement: STATEMENT_TIMEOUT_MS, lock: lockTimeout }, SIZE);
    super(pool, { timeoutMs: 2 * STATEMENT_TIMEOUT_MS, names: direct.statementNames });
    this.end = () => closePool(pool);
  }

  close(): Promise<void> {
    return this.end();
  }
}
