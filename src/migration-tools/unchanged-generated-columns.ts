import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { pathOf } from '../database';
import { onEmptyCopy, tried } from './rolled-back';

/** The expressions of a table's generated columns, as PostgreSQL words them. */
const STORED = `
  SELECT made.attname AS name, format_type(made.atttypid, made.atttypmod) AS type,
    pg_get_expr(stored.adbin, stored.adrelid) AS expression
  FROM pg_attribute made
  JOIN pg_attrdef stored ON stored.adrelid = made.attrelid AND stored.adnum = made.attnum
  WHERE made.attrelid = to_regclass($1) AND made.attgenerated = 's'`;

interface StoredColumn {
  readonly name: string;
  readonly type: string;
  readonly expression: string;
}

/** A generated column of an entity, and the same one of its table. */
interface Pair {
  readonly column: ColumnMetadata;
  readonly stored: StoredColumn;
}

/** The generated columns of an entity whose expression is the stored one, as PostgreSQL words both. */
export async function unchangedGeneratedColumns(
  dataSource: DataSource,
  metadata: EntityMetadata,
): Promise<ColumnMetadata[]> {
  const declared = metadata.columns.filter(({ asExpression }) => asExpression !== undefined);
  if (!metadata.synchronize || declared.length === 0) return [];
  const path = pathOf(metadata);
  const stored = await dataSource.query<StoredColumn[]>(STORED, [path]);
  const pairs = declared.flatMap((column): Pair[] => {
    const found = stored.find(({ name }) => name === column.databaseName);
    return found ? [{ column, stored: found }] : [];
  });
  if (pairs.length === 0) return [];
  return onEmptyCopy(dataSource, path, async (runner) => {
    const unchanged: ColumnMetadata[] = [];
    for (const pair of pairs) if (await isUnchanged(runner, pair)) unchanged.push(pair.column);
    return unchanged;
  });
}

/** An expression that names a column which the migration is still to create fails here: no stored one can equal it. */
const isUnchanged = async (runner: QueryRunner, { column, stored }: Pair): Promise<boolean> => {
  const worded = await tried(runner, async () => {
    await runner.query(`ALTER TABLE declared DROP COLUMN "${stored.name}"`);
    await runner.query(
      `ALTER TABLE declared ADD "${stored.name}" ${stored.type} GENERATED ALWAYS AS (${column.asExpression}) STORED`,
    );
    const found = (await runner.query(STORED, ['pg_temp.declared'])) as StoredColumn[];
    return found[0]?.expression;
  });
  return worded === stored.expression;
};
