import { isExisting } from '../../common/schema';
import type { Queries } from '../../database/database';
import { unquote } from '../../database/quote';
import type { CollectionRegistry } from './registry';
import type { StoredCollection } from './stored-collection';

/** Columns that a new row must have a value for. A trigger may give one, so tables with such triggers have none here. */
const REQUIRED = `
  SELECT sent.place::int4, c.attname::text AS name
  FROM unnest($1::text[]) WITH ORDINALITY sent(path, place)
  JOIN pg_class t ON t.oid = to_regclass(sent.path) AND t.relkind IN ('r', 'p')
  JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
  WHERE c.attnotnull AND NOT c.atthasdef AND c.attidentity = ''
    AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = t.oid AND NOT tgisinternal AND tgtype & 7 = 7)
  ORDER BY 1, 2`;

/**
 * Finds columns of existing tables that no write of ours can fill: a create would be refused because of a column that no
 * client knows. TypeORM's `@VersionColumn` is one, which only its own repositories fill.
 * @returns a sentence for each
 */
export async function unfilledColumns(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<string[]> {
  const tables = [...registry.all()].map(({ name }) => registry.table(name)).filter(isWritten);
  if (tables.length === 0) return [];
  const paths = tables.map(({ table }) => table);
  const found = await queries.query<{ place: number; name: string }>(REQUIRED, [paths]);
  return found.flatMap(({ place, name }) => {
    const { entity, table, columns } = tables[place - 1] ?? {};
    const isFilled = [...(columns?.values() ?? [])].some(({ sql }) => unquote(sql) === name);
    return isFilled
      ? []
      : `${entity?.name} has no field for the column ${name} of ${table}, which cannot be null and has no default: no item can be created. Give the column a default, or declare a field for it.`;
  });
}

const isWritten = ({ entity, view }: StoredCollection): boolean =>
  entity !== null && isExisting(entity) && view !== true;
