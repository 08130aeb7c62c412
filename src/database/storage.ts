import { join } from 'node:path';
import type { AppConfig } from '../config/app-config';

export interface PostgresStorage {
  readonly kind: 'postgres';
  readonly url: string;
  /** The same database without the pooler, for migrations and everything else that needs its own session. */
  readonly directUrl?: string | undefined;
  /** `false`: a pooler lends sessions per transaction. Nothing is prepared or set in them. */
  readonly statementNames?: boolean;
  /** Whether `url` is that of `DATABASE_DIRECT_URL`. */
  readonly isDirect?: boolean;
}

/** Where the data is stored. `memory` is for tests and for comparing schemas; `image` is a dump to start from. */
export type Storage =
  PostgresStorage | { kind: 'folder'; path: string } | { kind: 'memory'; image?: Blob };

/** Injection token of the `Storage` in use. */
export const STORAGE = Symbol('Storage');

export function storageOf(config: AppConfig): Storage {
  const { databaseUrl: url, databaseDirectUrl: directUrl } = config;
  if (url === undefined) return { kind: 'folder', path: join(config.dataDir, 'pg') };
  return { kind: 'postgres', url, directUrl, statementNames: config.databaseStatementNames };
}

/** The same without the pooler, where a direct address is configured. */
export function directStorage<S extends Storage>(storage: S): S | PostgresStorage {
  if (storage.kind !== 'postgres' || storage.directUrl === undefined) return storage;
  return { kind: 'postgres', url: storage.directUrl, isDirect: true };
}
