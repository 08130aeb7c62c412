import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { pathOf } from '../database';
import { onEmptyCopy, tried } from './rolled-back';

/** The indexes of a table: their columns in order, and their conditions in PostgreSQL's own wording. */
const STORED = `
  SELECT made.relname AS name, pg_get_expr(stored.indpred, stored.indrelid) AS condition,
    array_to_string(ARRAY(
      SELECT attname FROM unnest(stored.indkey) WITH ORDINALITY AS part (number, place)
      JOIN pg_attribute ON attrelid = stored.indrelid AND attnum = number ORDER BY place
    ), chr(10)) AS columns
  FROM pg_index stored JOIN pg_class made ON made.oid = stored.indexrelid
  WHERE stored.indrelid = to_regclass($1)`;

interface Stored {
  readonly name: string;
  /** Null without one. */
  readonly condition: string | null;
  /** One a line. */
  readonly columns: string;
}

/** An index without a name gets one from TypeORM. */
type Declared = EntityMetadata['indices'][number];

/**
 * The indexes that exist with their columns in another order, or under another condition (WHERE), than the entities
 * declare, which TypeORM does not compare: a unique index would go on to count the wrong rows.
 * @returns the names, with the columns that each has now
 */
export async function changedIndexes(
  dataSource: DataSource,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const changed = new Map<string, readonly string[]>();
  for (const metadata of dataSource.entityMetadatas) {
    if (!metadata.synchronize) continue;
    for (const { name, columns } of await changedIn(dataSource, metadata)) {
      changed.set(name, columns.split('\n'));
    }
  }
  return changed;
}

interface Pair {
  readonly declared: Declared;
  readonly stored: Stored;
}

async function changedIn(dataSource: DataSource, metadata: EntityMetadata): Promise<Stored[]> {
  const path = pathOf(metadata);
  const pairs = (await dataSource.query<Stored[]>(STORED, [path])).flatMap((stored): Pair[] => {
    const declared = metadata.indices.find((index) => index.name === stored.name);
    return declared ? [{ declared, stored }] : [];
  });
  const partial = pairs.filter(
    ({ declared, stored }) => declared.where !== undefined || stored.condition !== null,
  );
  const worded = await inOwnWords(dataSource, path, partial);
  return pairs
    .filter(
      (pair) =>
        isReordered(pair) || (worded.has(pair) && worded.get(pair) !== pair.stored.condition),
    )
    .map(({ stored }) => stored);
}

/** TypeORM sees other columns itself. */
function isReordered({ declared, stored }: Pair): boolean {
  const wanted = declared.columns.map(({ databaseName }) => databaseName);
  const columns = stored.columns.split('\n');
  return (
    wanted.length === columns.length &&
    wanted.every((column) => columns.includes(column)) &&
    wanted.some((column, at) => columns[at] !== column)
  );
}

/**
 * Lets PostgreSQL word declared conditions.
 * @returns undefined for one that names a column which the migration is still to create
 */
async function inOwnWords(
  dataSource: DataSource,
  path: string,
  pairs: readonly Pair[],
): Promise<ReadonlyMap<Pair, string | null | undefined>> {
  const worded = new Map<Pair, string | null | undefined>();
  if (pairs.length === 0) return worded;
  return onEmptyCopy(dataSource, path, async (runner) => {
    for (const pair of pairs) {
      const { where } = pair.declared;
      worded.set(pair, where === undefined ? null : await conditionOf(runner, where));
    }
    return worded;
  });
}

const conditionOf = (runner: QueryRunner, where: string): Promise<string | undefined> =>
  tried(runner, async () => {
    await runner.query(`CREATE INDEX declared_index ON declared ((1)) WHERE ${where}`);
    const [made] = (await runner.query(STORED, ['pg_temp.declared'])) as Stored[];
    return made?.condition ?? undefined;
  });
