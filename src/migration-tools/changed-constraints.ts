import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { pathOf } from '../database';
import { onEmptyCopy, tried } from './rolled-back';

/** The CHECK and EXCLUDE constraints of a table, in PostgreSQL's own wording. */
const STORED = `
  SELECT conname AS name,
    CASE contype WHEN 'c' THEN pg_get_expr(conbin, conrelid) ELSE pg_get_constraintdef(oid) END AS wording
  FROM pg_constraint WHERE contype IN ('c', 'x') AND conrelid = to_regclass($1)`;

interface Stored {
  readonly name: string;
  readonly wording: string;
}

interface Declared {
  readonly name: string;
  /** `CHECK (price > 0)` */
  readonly sql: string;
}

/**
 * The names of the constraints (@Check, @Exclusion) that exist with another expression than the entities declare, which
 * TypeORM does not compare.
 */
export async function changedConstraints(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const metadata of dataSource.entityMetadatas) {
    const declared = metadata.synchronize ? declaredBy(metadata) : [];
    if (declared.length === 0) continue;
    for (const name of await changedIn(dataSource, pathOf(metadata), declared)) changed.add(name);
  }
  return changed;
}

const declaredBy = ({ checks, exclusions }: EntityMetadata): Declared[] => [
  ...checks.map(({ name, expression }) => ({ name, sql: `CHECK (${expression})` })),
  ...exclusions.map(({ name, expression }) => ({ name, sql: `EXCLUDE ${expression}` })),
];

/** Lets PostgreSQL word the declared ones. */
async function changedIn(
  dataSource: DataSource,
  path: string,
  declared: readonly Declared[],
): Promise<string[]> {
  const stored = await dataSource.query<Stored[]>(STORED, [path]);
  const wordings = new Map(stored.map(({ name, wording }) => [name, wording]));
  const there = declared.filter(({ name }) => wordings.has(name));
  if (there.length === 0) return [];
  return onEmptyCopy(dataSource, path, async (runner) => {
    const changed: string[] = [];
    for (const { name, sql } of there) {
      if ((await wordingOf(runner, sql)) !== wordings.get(name)) changed.push(name);
    }
    return changed;
  });
}

/** Undefined for one that names a column which the migration is still to create. */
const wordingOf = (runner: QueryRunner, sql: string): Promise<string | undefined> =>
  tried(runner, async () => {
    await runner.query(`ALTER TABLE declared ADD CONSTRAINT declared_constraint ${sql}`);
    const [made] = (await runner.query(STORED, ['pg_temp.declared'])) as Stored[];
    return made?.wording;
  });
