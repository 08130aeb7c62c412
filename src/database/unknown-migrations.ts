import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { nameOf, readHistory } from './migration-history';

const SHOWN = 5;

const logger = new Logger('Database');

/**
 * Warns where the database is newer than this process. It is not refused: an instance of the older version that crashes
 * during an upgrade must come back, and the migrations of a module that is no longer loaded do not matter.
 */
export async function warnOfUnknownMigrations(dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.migrations.map(nameOf));
  const unknown = (await readHistory(dataSource)).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const shown = unknown.slice(-SHOWN).join(', ');
  const more = unknown.length > SHOWN ? ` and ${unknown.length - SHOWN} earlier ones` : '';
  logger.warn(
    `Migrations have run on this database that this process does not know: ${shown}${more}. Either a newer version has migrated it, and this one may fail or store wrong values, or a module that brought them is not loaded.`,
  );
}
