import { Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Broadcast } from '../../src/database/broadcast/broadcast';
import { createDataSource } from '../../src/database/data-source';
import { Database } from '../../src/database/database';
import { makeTestStorage, onPostgres } from '../support';

export const INSERT = 'INSERT INTO lots (id, name) VALUES ($1, $2)';
export const NAMES = 'SELECT id, name FROM lots WHERE id >= $1 ORDER BY id';

/** A new database with one table, without the service. */
export interface LotsDatabase {
  readonly database: Database;
  /** Another `Database` on the same connections. */
  open(options?: { readonly broadcast?: Broadcast }): Database;
  /** The keys of all lots, in order. */
  ids(): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Opens a database for the tests of a file; each test begins with an empty table. */
export function useLots(take: (opened: LotsDatabase) => void): void {
  let lots: LotsDatabase;
  beforeAll(async () => {
    lots = await openLots();
    take(lots);
  });
  afterAll(() => lots.close());
  beforeEach(() => lots.database.query('TRUNCATE lots'));
}

async function openLots(): Promise<LotsDatabase> {
  Logger.overrideLogger(false);
  const storage = await makeTestStorage();
  const dataSource = await createDataSource(storage.storage, {
    entities: [],
    migrations: [],
  }).initialize();
  const { master } = dataSource.driver as unknown as { master: Pool };
  const open = (options: { readonly broadcast?: Broadcast } = {}): Database =>
    new Database(master, { pipelines: onPostgres() !== undefined, ...options });
  const database = open();
  await database.query('CREATE TABLE lots (id int PRIMARY KEY, name text)');
  return {
    database,
    open,
    ids: async () =>
      (await database.query<{ id: number }>('SELECT id FROM lots ORDER BY id')).map(({ id }) => id),
    close: async () => {
      await dataSource.destroy();
      await storage.drop();
    },
  };
}

/** How often a statement is sent before it is prepared. */
const OFTEN = 4;

/** Repeats the work until its statements are prepared. */
export async function often(work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < OFTEN; time++) await work();
}
