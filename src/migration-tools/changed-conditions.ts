import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { pathOf } from '../database';
import { rolledBack, tried } from './rolled-back';

/** The conditions of a table's indexes, in PostgreSQL's own wording. */
const STORED = `
  SELECT made.relname AS name, pg_get_expr(stored.indpred, stored.indrelid) AS condition
  FROM pg_index stored JOIN pg_class made ON made.oid = stored.indexrelid
  WHERE stored.indrelid = to_regclass($1)`;

interface Condition {
  readonly name: string;
  /** Null without one. */
  readonly condition: string | null;
}

/** An index without a name gets one from TypeORM. */
type Declared = EntityMetadata['indices'][number];

/**
 * The names of the indexes that exist under another condition (WHERE) than the entities declare, which TypeORM does not
 * compare: a unique index would go on to count the wrong rows.
 */
export async function changedConditions(dataSource: DataSource): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const metadata of dataSource.entityMetadatas) {
    if (!metadata.synchronize) continue;
    for (const name of await changedIn(dataSource, metadata)) changed.add(name);
  }
  return changed;
}

async function changedIn(dataSource: DataSource, metadata: EntityMetadata): Promise<string[]> {
  const path = pathOf(metadata);
  const stored = await dataSource.query<Condition[]>(STORED, [path]);
  const pairs = stored.flatMap(({ name, condition }) => {
    const declared = metadata.indices.find((index) => index.name === name);
    const isPlain = condition === null && declared?.where === undefined;
    return declared && !isPlain ? [{ declared, condition }] : [];
  });
  if (pairs.length === 0) return [];
  const worded = await inOwnWords(
    dataSource,
    path,
    pairs.map(({ declared }) => declared),
  );
  return pairs
    .filter(({ condition }, at) => worded[at] !== condition)
    .map(({ declared }) => declared.name);
}

/**
 * Lets PostgreSQL word declared conditions, with a temporary table that is dropped at once.
 * @returns undefined for one that names a column which the migration is still to create
 */
function inOwnWords(
  dataSource: DataSource,
  path: string,
  indexes: readonly Declared[],
): Promise<(string | null | undefined)[]> {
  return rolledBack(dataSource, async (runner) => {
    await runner.query(`CREATE TEMP TABLE declared (LIKE ${path})`);
    const conditions: (string | null | undefined)[] = [];
    for (const { where } of indexes) {
      conditions.push(where === undefined ? null : await conditionOf(runner, where));
    }
    return conditions;
  });
}

const conditionOf = (runner: QueryRunner, where: string): Promise<string | undefined> =>
  tried(runner, async () => {
    await runner.query(`CREATE INDEX declared_index ON declared ((1)) WHERE ${where}`);
    const [made] = (await runner.query(STORED, ['pg_temp.declared'])) as Condition[];
    return made?.condition ?? undefined;
  });
