import { isExisting, readableType, RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import { quote } from '../../database/quote';
import { isNumeric, type ScalarType } from '../../engine';
import type { SqlType } from './column';
import type { CollectionRegistry } from './registry';

/**
 * Columns with their types (of a domain its base type, of a list that of its members) and their collations, if these are
 * nondeterministic.
 */
const COLUMNS = `
  WITH RECURSIVE typed(place, name, nondeterministic, type, list) AS (
    SELECT sent.place::int4, c.attname::text, l.collname::text, c.atttypid, false
    FROM unnest($1::text[]) WITH ORDINALITY sent(path, place)
    JOIN pg_attribute c ON c.attrelid = to_regclass(sent.path) AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_collation l ON l.oid = c.attcollation AND NOT l.collisdeterministic
    UNION ALL
    SELECT place, name, nondeterministic, CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END,
      list OR t.typtype <> 'd'
    FROM typed JOIN pg_type t ON t.oid = typed.type
    WHERE t.typtype = 'd' OR (t.typcategory = 'A' AND t.typelem <> 0)
  )
  SELECT place, name, nondeterministic, list, CASE t.typtype WHEN 'e' THEN NULL ELSE format_type(t.oid, NULL) END AS type
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
  /** A list of that type. */
  readonly list: boolean;
}

/**
 * Refuses a column that the database compares differently from `evaluateFilter`, or not at all: a rule about it would
 * mean two things.
 * An existing table may have one, whatever its fields say. Under a nondeterministic collation two different texts may be
 * equal, and PostgreSQL refuses to search within a text. Values of another type than the field's cannot be written to it.
 * @throws RegistrationError that names the field
 */
export async function refuseUnfitColumns(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<void> {
  const tables = [...registry.all()].map(({ name }) => {
    const table = registry.table(name);
    return { ...table, existing: table.entity !== null && isExisting(table.entity) };
  });
  const paths = tables.map(({ table }) => table);
  for (const found of await queries.query<FoundColumn>(COLUMNS, [paths])) {
    const { entity, columns, existing = false } = tables[found.place - 1] ?? {};
    for (const [field, column] of columns ?? []) {
      if (column.sql !== quote(found.name)) continue;
      // Migrations may still have to change a table that they made; rules about the changed field sleep until then.
      const fault = faultOf(found) ?? (existing ? typeFault(found, column) : undefined);
      if (fault !== undefined) throw new RegistrationError(`${entity?.name}.${field} ${fault}`);
    }
  }
}

function faultOf({ nondeterministic, type }: FoundColumn): string | undefined {
  if (nondeterministic !== null)
    return `has the collation ${nondeterministic}, under which different texts may be equal: give the column another one, such as COLLATE "und-x-icu", and keep texts unique by an index on lower(…).`;
  if (type !== null && readableType(type) === undefined)
    return `is of the type ${type}, which cannot be read: remove the field, or show it by a view.`;
  return undefined;
}

function typeFault({ type, list }: FoundColumn, { cast }: SqlType): string | undefined {
  const named = cast.replace(/\[\]$/, '');
  const declared = readableType(named);
  const stored = type === null ? undefined : readableType(type);
  // A team names the types of its enums.
  if (declared === undefined || stored === undefined) return undefined;
  if (list === (named !== cast) && isAlike(stored, declared)) return undefined;
  return `is of the type ${type}${list ? '[]' : ''} in the database, and not ${cast}: declare it with the type of its column, or write a migration that changes the column.`;
}

/** Whether the database converts values of one into the other: a table may store whole numbers as decimal ones. */
const isAlike = (one: ScalarType, other: ScalarType): boolean =>
  one === other || (isNumeric(one) && isNumeric(other));
