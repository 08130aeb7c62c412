import { isReadableType, RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import type { CollectionRegistry } from './registry';
import { quote } from '../../database/quote';

/**
 * Columns with their types (of a domain its base type, of a list that of its members) and their collations, if these are
 * nondeterministic.
 */
const COLUMNS = `
  WITH RECURSIVE typed(place, name, nondeterministic, type) AS (
    SELECT sent.place::int4, c.attname::text, l.collname::text, c.atttypid
    FROM unnest($1::text[]) WITH ORDINALITY sent(path, place)
    JOIN pg_attribute c ON c.attrelid = to_regclass(sent.path) AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_collation l ON l.oid = c.attcollation AND NOT l.collisdeterministic
    UNION ALL
    SELECT place, name, nondeterministic, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END
    FROM typed JOIN pg_type t ON t.oid = typed.type
    WHERE t.typtype = 'd' OR (t.typcategory = 'A' AND t.typelem <> 0)
  )
  SELECT place, name, nondeterministic, CASE t.typtype WHEN 'e' THEN NULL ELSE format_type(t.oid, NULL) END AS type
  FROM typed JOIN pg_type t ON t.oid = typed.type
  WHERE t.typtype <> 'd' AND NOT (t.typcategory = 'A' AND t.typelem <> 0)
  ORDER BY 1, 2`;

interface FoundColumn {
  /** Of its table among those that were asked for, from 1. */
  readonly place: number;
  readonly name: string;
  /** The name of the column's collation, if that is nondeterministic. */
  readonly nondeterministic: string | null;
  /** None where it is an enum, which the team names. */
  readonly type: string | null;
}

/**
 * Refuses a column that the database compares differently from `evaluateFilter`, or not at all: a rule about it would
 * mean two things.
 * An existing table may have one, whatever its fields say. Under a nondeterministic collation two different texts may be
 * equal, and PostgreSQL refuses to search within a text.
 * @throws RegistrationError that names the field
 */
export async function refuseUnfitColumns(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<void> {
  const tables = [...registry.all()].map(({ name }) => registry.table(name));
  const paths = tables.map(({ table }) => table);
  for (const found of await queries.query<FoundColumn>(COLUMNS, [paths])) {
    const fault = faultOf(found);
    if (fault === undefined) continue;
    const { entity, columns } = tables[found.place - 1] ?? {};
    const field = [...(columns ?? [])].find(([, { sql }]) => sql === quote(found.name))?.[0];
    if (field !== undefined) throw new RegistrationError(`${entity?.name}.${field} ${fault}`);
  }
}

function faultOf({ nondeterministic, type }: FoundColumn): string | undefined {
  if (nondeterministic !== null)
    return `has the collation ${nondeterministic}, under which different texts may be equal: give the column another one, such as COLLATE "und-x-icu", and keep texts unique by an index on lower(…).`;
  if (type !== null && !isReadableType(type))
    return `is of the type ${type}, which cannot be read: remove the field, or show it by a view.`;
  return undefined;
}
