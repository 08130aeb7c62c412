import type { DatabaseError } from 'pg';
import type { Queries } from '../../../database/database';
import type { StoredCollection } from '../../registry/stored-collection';
import { quote } from '../../../database/quote';

/** The columns of a constraint, or the parts of an index: an expression where a part is not a column. */
const COLUMNS = `
  SELECT a.attname::text AS part
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
   WHERE c.conrelid = $1::text::regclass AND c.conname = $2::text
  UNION
  SELECT pg_get_indexdef(i.indexrelid, part, false)
    FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
         CROSS JOIN generate_series(1, i.indnkeyatts) AS part
   WHERE i.indrelid = $1::text::regclass AND x.relname = $2::text`;

/**
 * The fields that a refusal of the database concerns: all of them, or none where one is not a field of the collection.
 * The database is asked, since any migration may add constraints.
 * @param queries not of the transaction that failed
 */
export async function constrainedFields(
  error: DatabaseError,
  collection: StoredCollection,
  queries: Queries,
): Promise<readonly string[]> {
  const { constraint } = error;
  if (error.table !== undefined && !isOf(error, collection)) return [];
  if (constraint === undefined) return [writtenField(error, collection) ?? []].flat();
  const rows = await queries.query<{ part: string }>(COLUMNS, [collection.table, constraint]);
  const parts = rows.map(({ part }) => fieldsIn(part, collection));
  return parts.some((fields) => fields.length === 0) ? [] : [...new Set(parts.flat())];
}

/** Whether the refusal concerns the collection's own table, as far as the error says. */
export const isOf = ({ table, schema }: DatabaseError, collection: StoredCollection): boolean => {
  if (table === undefined) return false;
  const path = [quote(schema ?? ''), quote(table)];
  return collection.table === path.join('.') || collection.table === path[1];
};

/** The quotes around a name in the server's texts, in each of its languages. */
const QUOTED = /["«»„“]\s?(.+\S|\S)\s?["«»“”]/;

/** The one column that a refusal names; the error for a generated column names it only in its text. */
export function writtenField(
  error: DatabaseError,
  collection: StoredCollection,
): string | undefined {
  const column = error.code === '428C9' ? QUOTED.exec(error.message)?.[1] : error.column;
  return column === undefined ? undefined : fieldOf(column, collection);
}

const fieldOf = (column: string, { columns }: StoredCollection): string | undefined =>
  [...columns].find(([, { sql }]) => sql === quote(column))?.[0];

/** A column, or those that an expression reads: `lower((email)::text)`. */
function fieldsIn(part: string, collection: StoredCollection): string[] {
  const expression = part.replace(/::("[^"]+"|[\w ]+)/g, '');
  const words = [part, ...(expression.match(/"[^"]+"|\w+(?!\w*\()/g) ?? [])];
  const columns = words.map((word) => word.replace(/^"(.*)"$/, '$1'));
  return [...new Set(columns.flatMap((column) => fieldOf(column, collection) ?? []))];
}
