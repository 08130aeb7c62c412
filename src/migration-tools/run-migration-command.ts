import type { DataSource } from 'typeorm';
import type { Output } from '../common/command';
import {
  createDataSource,
  directStorage,
  isMissing,
  migrate,
  migrationName,
  ownMigrations,
  readHistory,
  refuseMissing,
  revertLast,
  type SchemaPart,
  type Storage,
} from '../database';
import { stampOf } from './migration-folder';

const DONE = 0;
const PENDING = 2;

/** What all commands work on: the entities and migrations of all modules, and the configured database. */
export interface MigrationContext {
  readonly schema: SchemaPart;
  readonly storage: Storage;
}

/**
 * Runs the migrations that have not run yet.
 * @returns the exit code
 */
export async function runMigrations(
  { schema, storage }: MigrationContext,
  output: Output,
): Promise<number> {
  const done = await withDatabase(storage, schema, (source) => migrate(source, storage));
  for (const name of done) output.out(`Ran ${name}`);
  if (done.length === 0) output.out('All migrations have run already.');
  return DONE;
}

/**
 * Reverts the last migration of the service itself, or of the team's modules.
 * @returns the exit code
 */
export async function revertMigration(
  { schema, storage }: MigrationContext,
  owner: 'service' | 'modules',
  output: Output,
): Promise<number> {
  refuseMissing(storage);
  const own = new Set(ownMigrations.map(({ name }) => name));
  const name = await withDatabase(storage, schema, (source) =>
    revertLast(source, (each) => own.has(each) === (owner === 'service')),
  );
  const whose = owner === 'service' ? 'of the service' : 'of your modules';
  const hint = owner === 'service' ? '' : ' --service reverts the last one of the service.';
  output.out(name === undefined ? `No migration ${whose} has run.${hint}` : `Reverted ${name}`);
  return DONE;
}

/**
 * Lists the migrations, run and not run. Opens the database only if it exists.
 * @returns the exit code
 */
export async function printStatus(
  { schema, storage }: MigrationContext,
  output: Output,
): Promise<number> {
  const run = isMissing(storage) ? [] : await withDatabase(storage, schema, readHistory);
  const names = inOrder(schema.migrations.map(migrationName));
  const pending = names.filter((name) => !run.includes(name));
  for (const name of run) output.out(`${names.includes(name) ? 'run    ' : 'unknown'}  ${name}`);
  for (const name of pending) output.out(`pending  ${name}`);
  return pending.length === 0 ? DONE : PENDING;
}

/** In the order in which they run. */
const inOrder = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => stampOf(one) - stampOf(other));

async function withDatabase<R>(
  storage: Storage,
  schema: SchemaPart,
  work: (source: DataSource) => Promise<R>,
): Promise<R> {
  const source = await createDataSource(directStorage(storage), schema).initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}
