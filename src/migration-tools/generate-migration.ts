import type { DataSource } from 'typeorm';
import { CommandFault, type Output } from '../common/command';
import { migrationName } from '../database';
import { type Difference, differenceOf, openCompared } from './compare-schema';
import type { MigrationFolder } from './migration-folder';
import { warningOf } from './migration-source';
import type { MigrationContext } from './run-migration-command';

/** The place for the migrations of some entities. */
export interface MigrationTarget {
  /** The name that `--extension` takes. */
  readonly name: string;
  readonly folder: MigrationFolder;
  /** Whether a module must list its migrations; those of a clone are found in their folder. */
  readonly isListed: boolean;
  /** Entities that belong to another target. */
  readonly others: ReadonlySet<unknown>;
}

interface Found {
  readonly target: MigrationTarget;
  readonly difference: Difference;
}

/**
 * Writes a migration from the existing migrations to the entities, in the target whose entities differ.
 * @returns whether anything differed
 * @throws CommandFault where several targets differ, or a migration in the folder is not loaded
 */
export async function generateMigration(
  { schema, storage }: MigrationContext,
  targets: readonly MigrationTarget[],
  { name, fromDatabase }: { readonly name: string; readonly fromDatabase: boolean },
  output: Output,
): Promise<boolean> {
  const registered = schema.migrations.map(migrationName);
  for (const { folder } of targets) await folder.refuseUnlisted(registered);
  const source = await openCompared(schema, storage, fromDatabase);
  const [first, ...others] = await differing(source, targets).finally(() => source.destroy());
  if (first === undefined) return false;
  if (others.length > 0) {
    const names = [first, ...others].map(({ target }) => `--extension ${target.name}`);
    throw new CommandFault(`Several extensions differ. Choose one: ${names.join(' or ')}.`);
  }
  printResult(await first.target.folder.add(name, first.difference, registered), first, output);
  return true;
}

async function differing(
  source: DataSource,
  targets: readonly MigrationTarget[],
): Promise<Found[]> {
  const differences: Found[] = [];
  for (const target of targets) {
    const difference = await differenceOf(source, target.others);
    if (difference.up.length > 0) differences.push({ target, difference });
  }
  return differences;
}

function printResult(file: string, { target, difference }: Found, output: Output): void {
  output.out(`Wrote ${file}, and listed it in the index beside it.`);
  output.out(
    target.isListed
      ? 'Its module provides that list with provideSchema({ migrations }); a start runs it.'
      : 'A start runs it, and so does `npm run migration:run`.',
  );
  if (difference.up.some((sql) => warningOf(sql, difference) !== undefined)) {
    output.out(
      'Check it first: where its comments say so, it may lose values or fail on existing rows.',
    );
  }
}
