import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { pathOf } from '../database';
import { onEmptyCopy, tried } from './rolled-back';

/** The generated columns of a table, in PostgreSQL's own wording. */
const STORED = `
  SELECT made.attname AS name, format_type(made.atttypid, made.atttypmod) AS type,
    pg_get_expr(stored.adbin, stored.adrelid) AS expression
  FROM pg_attribute made
  JOIN pg_attrdef stored ON stored.adrelid = made.attrelid AND stored.adnum = made.attnum
  WHERE made.attrelid = to_regclass($1) AND made.attgenerated = 's'`;

interface Generated {
  readonly name: string;
  readonly type: string;
  readonly expression: string;
}

/** A generated column of an entity, and the same one of its table. */
interface Pair {
  readonly column: ColumnMetadata;
  readonly stored: Generated;
}

/** The generated columns of a table whose stored expression equals the declared one in PostgreSQL's own wording. */
export async function equalExpressions(
  dataSource: DataSource,
  metadata: EntityMetadata,
): Promise<ColumnMetadata[]> {
  const declared = metadata.columns.filter(({ asExpression }) => asExpression !== undefined);
  if (!metadata.synchronize || declared.length === 0) return [];
  const path = pathOf(metadata);
  const stored = await dataSource.query<Generated[]>(STORED, [path]);
  const pairs = declared.flatMap((column): Pair[] => {
    const found = stored.find(({ name }) => name === column.databaseName);
    return found ? [{ column, stored: found }] : [];
  });
  if (pairs.length === 0) return [];
  return onEmptyCopy(dataSource, path, async (runner) => {
    const equal: ColumnMetadata[] = [];
    for (const pair of pairs) if (await isEqual(runner, pair)) equal.push(pair.column);
    return equal;
  });
}

/** An expression fails where it names a column that the migration is still to create: no stored one equals it. */
const isEqual = async (runner: QueryRunner, { column, stored }: Pair): Promise<boolean> => {
  const worded = await tried(runner, async () => {
    await runner.query(`ALTER TABLE declared DROP COLUMN "${stored.name}"`);
    await runner.query(
      `ALTER TABLE declared ADD "${stored.name}" ${stored.type} GENERATED ALWAYS AS (${column.asExpression}) STORED`,
    );
    const found = (await runner.query(STORED, ['pg_temp.declared'])) as Generated[];
    return found[0]?.expression;
  });
  return worded === stored.expression;
};
