import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Pool } from 'pg';
import { nextTurn } from '../../src/common/next-turn';
import type { DisconnectSignal } from '../../src/common/request/disconnect-signal';
import { createDataSource } from '../../src/database/data-source';
import { Database, type Queries, type SqlRow } from '../../src/database/database';
import { makeTestStorage } from '../support';

/** Returns the connection on which it ran. */
export const WHERE = 'SELECT pg_backend_pid() AS pid, $1::int AS n';
/** Waits while another session holds the lock with this number. */
export const WAIT =
  'SELECT pg_advisory_xact_lock_shared($1::int) AS waited, pg_backend_pid() AS pid';
export const FREE = 1;
export const HELD = 2;
export const ALSO_HELD = 3;

const WAITING = `
  SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
  WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted AND objid = $1`;
/** After this many runs the times of earlier ones no longer matter. */
const OFTEN = 40;
const STAYING: DisconnectSignal = { aborted: false };

/** The database of a service, another client of it, and the reads of the service. */
export class AskedReads {
  /** The simulated time of each run of a statement, in ms: no test depends on measured time. */
  seeming = 0;
  private clock = 0;

  private constructor(
    readonly database: Database,
    readonly pool: Pool,
    readonly other: Client,
    readonly close: () => Promise<void>,
  ) {
    jest.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
      this.clock += this.seeming;
      return { idle: this.clock, active: 0, utilization: 0 };
    });
  }

  static async open(): Promise<AskedReads> {
    const { storage, drop } = await makeTestStorage();
    const dataSource = createDataSource(storage, { entities: [], migrations: [] });
    const { pool } = await dataSource.initialize();
    const other = new Client('url' in storage ? storage.url : '');
    await other.connect();
    await other.query('SELECT pg_advisory_lock($1), pg_advisory_lock($2)', [HELD, ALSO_HELD]);
    const options = { pipelines: true, cancels: true, timeoutMs: 60_000 };
    return new AskedReads(new Database(pool, options), pool, other, async () => {
      await other.end();
      await dataSource.destroy();
      await drop();
    });
  }

  read(
    text: string,
    values: readonly unknown[] = [],
    left: DisconnectSignal = STAYING,
    requester = '',
  ): Promise<SqlRow[]> {
    return this.database.readingFor({ left, requester }).query(text, values);
  }

  get reading(): Queries {
    return this.database.readingFor({ left: STAYING, requester: '' });
  }

  /** Reads one row for each of these numbers, all at once. */
  async readAll(text: string, numbers: readonly number[]): Promise<SqlRow[]> {
    return (await Promise.all(numbers.map((number) => this.read(text, [number])))).flat();
  }

  /** Runs the statement so often that it usually takes `milliseconds`, and is prepared. */
  async learn(text: string, values: readonly unknown[], milliseconds = 0): Promise<void> {
    this.seeming = milliseconds;
    for (let time = 0; time < OFTEN; time += 1) await this.read(text, values);
    this.seeming = 0;
  }

  /** The number of connections in use once all reads of this turn of the event loop have been sent. */
  async lent(): Promise<number> {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
    return this.pool.totalCount - this.pool.idleCount;
  }

  /** Waits until all connections have been returned. */
  async allGivenBack(): Promise<void> {
    while (this.pool.totalCount !== this.pool.idleCount) await sleep(10);
  }

  async somebodyWaits(lock = HELD): Promise<void> {
    while ((await this.waiting(lock)) === 0) await sleep(5);
  }

  async nobodyWaits(lock = HELD): Promise<void> {
    while ((await this.waiting(lock)) > 0) await sleep(5);
  }

  private async waiting(lock: number): Promise<number> {
    const { rows } = await this.other.query(WAITING, [lock]);
    return rows.length;
  }

  /** Releases the lock for those that wait for it, until `work` ends. */
  async letGo<T>(work: Promise<T>, lock = HELD): Promise<T> {
    await this.other.query('SELECT pg_advisory_unlock($1)', [lock]);
    const result = await work;
    await this.other.query('SELECT pg_advisory_lock($1)', [lock]);
    return result;
  }
}

export const pidsOf = (rows: readonly SqlRow[]): number => new Set(rows.map(({ pid }) => pid)).size;
