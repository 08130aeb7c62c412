import { join } from 'node:path';
import type { AppConfig } from '../config/app-config';

/** Where the data lives. `memory` is for tests and for comparing schemas; `image` is a dump to begin from. */
export type Storage =
  | { kind: 'postgres'; url: string }
  | { kind: 'folder'; path: string }
  | { kind: 'memory'; image?: Blob };

/** Injection token of the `Storage` in use. */
export const STORAGE = Symbol('Storage');

export function storageOf(config: AppConfig): Storage {
  if (config.databaseUrl !== undefined) return { kind: 'postgres', url: config.databaseUrl };
  return { kind: 'folder', path: join(config.dataDir, 'pg') };
}
