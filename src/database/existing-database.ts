import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { StartupError } from '../config/startup-error';
import { nameOf, readHistory } from './migration-history';
import type { Storage } from './storage';

/** Injection token: provided where the database is used as it is, neither created nor migrated. */
export const EXISTING_DATABASE_ONLY = Symbol('ExistingDatabaseOnly');

/** For commands beside the service: a database that no start has prepared is refused and left unchanged. */
@Global()
@Module({
  providers: [{ provide: EXISTING_DATABASE_ONLY, useValue: true }],
  exports: [EXISTING_DATABASE_ONLY],
})
export class ExistingDatabaseModule {}

const START =
  'Start the service once, or run `doorward migration:run` (in the clone `npm run migration:run`).';

/** Whether there is no database yet; an embedded one would be created by opening it. */
export const isMissing = (storage: Storage): boolean =>
  storage.kind === 'folder' && !existsSync(join(storage.path, 'PG_VERSION'));

/** Call before opening it. @throws StartupError */
export function refuseMissing(storage: Storage): void {
  if (storage.kind !== 'folder' || !isMissing(storage)) return;
  throw new StartupError(`There is no database in ${storage.path}. ${START} Or check DATA_DIR.`);
}

/** @throws StartupError where migrations are still to be run */
export async function refuseUnmigrated(dataSource: DataSource): Promise<void> {
  const run = await readHistory(dataSource);
  const pending = dataSource.migrations.filter((each) => !run.includes(nameOf(each)));
  if (pending.length === 0) return;
  throw new StartupError(`The database is not up to date with this version. ${START}`);
}
