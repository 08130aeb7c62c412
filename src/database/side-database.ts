import type { AppConfig } from '../config/app-config';
import { openSidePool } from './data-source';
import { Database } from './database';

/** A statement that needs longer is given up: it counts or looks something up, and others wait for it. */
const PATIENCE = 2_000;
const SIZE = 2;

/**
 * A few connections beside the pool. A transaction holds one of the pool's, and whatever it waits for meanwhile must not
 * need another: of as many such transactions as the pool has connections each would wait for all the others.
 */
export class SideDatabase extends Database {
  private readonly end: () => Promise<void>;

  constructor(url: string, { lockTimeout }: AppConfig) {
    const pool = openSidePool(url, { statement: PATIENCE, lock: lockTimeout }, SIZE);
    super(pool, { patience: 2 * PATIENCE });
    this.end = () => pool.end();
  }

  close(): Promise<void> {
    return this.end();
  }
}
