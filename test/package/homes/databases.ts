import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestStorage, onPostgres } from '../../support/test-storage';
import type { TeamDatabase } from './walk-home';

const SETTINGS = {
  SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX',
  // The scenarios send requests as fast as they can.
  RATE_LIMIT_REQUESTS: '1000000',
};

interface Made extends TeamDatabase {
  readonly kind: string;
  drop(): Promise<void>;
}

/** An embedded database, and one on the server of TEST_DATABASE_URL if that is set. @param folder for their data */
export async function makeDatabases(folder: string): Promise<Made[]> {
  const DATA_DIR = join(folder, 'data');
  mkdirSync(DATA_DIR, { recursive: true });
  const embedded: Made = {
    kind: 'the embedded database',
    storage: { kind: 'folder', path: join(DATA_DIR, 'pg') },
    environment: { ...SETTINGS, DATA_DIR },
    drop: () => Promise.resolve(),
  };
  if (onPostgres() === undefined) return [embedded];
  const { storage, drop } = await makeTestStorage();
  const DATABASE_URL = storage.kind === 'postgres' ? storage.url : '';
  const environment = { ...SETTINGS, DATA_DIR: join(folder, 'other'), DATABASE_URL };
  return [embedded, { kind: 'PostgreSQL', storage, environment, drop }];
}
