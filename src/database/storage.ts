import { join } from 'node:path';
import type { AppConfig } from '../config/app-config';

export interface PostgresStorage {
  readonly kind: 'postgres';
  readonly url: string;
  /** The same database past a pooler, for migrations and all else that needs a session of its own. */
  readonly directUrl?: string | undefined;
  /** `false`: a pooler lends sessions for a transaction at a time. Nothing is prepared or set in them. */
  readonly statementNames?: boolean;
}

/** Where the data lives. `memory` is for tests and for comparing schemas; `image` is a dump to begin from. */
export type Storage =
  PostgresStorage | { kind: 'folder'; path: string } | { kind: 'memory'; image?: Blob };

/** Injection token of the `Storage` in use. */
export const STORAGE = Symbol('Storage');

export function storageOf(config: AppConfig): Storage {
  const { databaseUrl: url, databaseDirectUrl: directUrl } = config;
  if (url === undefined) return { kind: 'folder', path: join(config.dataDir, 'pg') };
  return { kind: 'postgres', url, directUrl, statementNames: config.databaseStatementNames };
}

/** The same without the pooler before it, where a way past it is known. */
export function directStorage<S extends Storage>(storage: S): S | PostgresStorage {
  if (storage.kind !== 'postgres' || storage.directUrl === undefined) return storage;
  return { kind: 'postgres', url: storage.directUrl };
}
