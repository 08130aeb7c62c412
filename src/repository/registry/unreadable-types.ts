import { isReadableType, RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import type { CollectionRegistry } from './registry';
import { quote } from './column';

/** The types of columns: of a domain its base, of a list its members'. */
const TYPES = `
  WITH RECURSIVE typed(place, name, type) AS (
    SELECT sent.place::int4, c.attname::text, c.atttypid
    FROM unnest($1::text[]) WITH ORDINALITY sent(path, place)
    JOIN pg_attribute c ON c.attrelid = to_regclass(sent.path) AND c.attnum > 0 AND NOT c.attisdropped
    UNION ALL
    SELECT typed.place, typed.name, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
    FROM typed JOIN pg_type t ON t.oid = typed.type
    WHERE t.typtype = 'd' OR (t.typcategory = 'A' AND t.typelem <> 0)
  )
  SELECT typed.place, typed.name, format_type(t.oid, NULL) AS type
  FROM typed JOIN pg_type t ON t.oid = typed.type
  WHERE t.typtype NOT IN ('d', 'e') AND NOT (t.typcategory = 'A' AND t.typelem <> 0)
  ORDER BY 1, 2`;

interface TypedColumn {
  /** Of its table among those that were asked for, from 1. */
  readonly place: number;
  readonly name: string;
  readonly type: string;
}

/**
 * An existing table may have columns of other types than its fields say, which the database compares otherwise than
 * the memory, or not at all.
 * @throws RegistrationError that names the field
 */
export async function refuseUnreadableTypes(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<void> {
  const tables = [...registry.all()].map(({ name }) => registry.table(name));
  const paths = tables.map(({ table }) => table);
  for (const { place, name, type } of await queries.query<TypedColumn>(TYPES, [paths])) {
    if (isReadableType(type)) continue;
    const { entity, columns } = tables[place - 1] ?? {};
    const field = [...(columns ?? [])].find(([, { sql }]) => sql === quote(name))?.[0];
    if (field === undefined) continue;
    throw new RegistrationError(
      `${entity?.name}.${field} is of the type ${type}, which cannot be read: remove the field, or show it by a view.`,
    );
  }
}
