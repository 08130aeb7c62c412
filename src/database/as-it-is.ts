import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { StartupError } from '../config/startup-error';
import type { Storage } from './storage';

/** Injection token: there, where the database is taken as it is, and neither made nor migrated. */
export const AS_IT_IS = Symbol('AsItIs');

/** For commands beside the service: a database that no start has made ready is refused, and left as it is. */
@Global()
@Module({ providers: [{ provide: AS_IT_IS, useValue: true }], exports: [AS_IT_IS] })
export class DatabaseAsItIsModule {}

const START = 'Start the service once, or run `npm run migration:run`.';
const IS_THERE = 'SELECT to_regclass($1) IS NOT NULL AS there';

/** Before it is opened: an embedded one would be made. @throws StartupError */
export function refuseMissing(storage: Storage): void {
  if (storage.kind !== 'folder' || existsSync(join(storage.path, 'PG_VERSION'))) return;
  throw new StartupError(`There is no database in ${storage.path}. ${START} Or check DATA_DIR.`);
}

/** @throws StartupError where migrations are still to be run */
export async function refuseUnmigrated(dataSource: DataSource): Promise<void> {
  const table = dataSource.driver.escape(dataSource.options.migrationsTableName ?? 'migrations');
  const [row] = await dataSource.query<{ there: boolean }[]>(IS_THERE, [table]);
  const run = row?.there
    ? await dataSource.query<{ name: string }[]>(`SELECT name FROM ${table}`)
    : [];
  const names = new Set(run.map(({ name }) => name));
  const pending = dataSource.migrations.filter(
    ({ name, constructor }) => !names.has(name ?? constructor.name),
  );
  if (pending.length === 0) return;
  throw new StartupError(`The database is not up to date with this version. ${START}`);
}
