import { isExisting, readableType, RegistrationError } from '../../common/schema';
import type { Queries } from '../../database/database';
import { quote } from '../../database/quote';
import { type FieldShape, isNumeric, type ScalarType } from '../../engine';
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
  SELECT place, name, nondeterministic, list, format_type(t.oid, NULL) AS type,
    CASE t.typtype WHEN 'e' THEN ARRAY(
      SELECT enumlabel::text FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder) END AS words,
    ARRAY[n.nspname::text, t.typname::text] AS path, pg_type_is_visible(t.oid) AS visible
  FROM typed JOIN pg_type t ON t.oid = typed.type JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE t.typtype <> 'd' AND NOT (t.typcategory = 'A' AND t.typelem <> 0)
  ORDER BY 1, 2`;

interface FoundColumn {
  /** The position of its table in the list that was passed, from 1. */
  readonly place: number;
  readonly name: string;
  /** The name of the column's collation, if that is nondeterministic. */
  readonly nondeterministic: string | null;
  readonly type: string;
  /** The schema and the name of the type; `visible`: it is found without its schema. */
  readonly path: readonly [schema: string, name: string];
  readonly visible: boolean;
  /** The values of an enum. */
  readonly words: readonly string[] | null;
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
    const { entity, columns, fields, existing = false } = tables[found.place - 1] ?? {};
    for (const [field, column] of columns ?? []) {
      if (column.sql !== quote(found.name)) continue;
      // Migrations may still have to change a table that they made; rules about the changed field sleep until then.
      const fault =
        faultOf(found) ?? (existing ? typeFault(found, column, fields?.get(field)) : undefined);
      if (fault !== undefined) throw new RegistrationError(`${entity?.name}.${field} ${fault}`);
    }
  }
}

function faultOf({ nondeterministic, type, words }: FoundColumn): string | undefined {
  if (nondeterministic !== null)
    return `has the collation ${nondeterministic}, under which different texts may be equal: give the column another one, such as COLLATE "und-x-icu", and keep texts unique by an index on lower(…).`;
  if (words === null && readableType(type) === undefined) return unreadable(type);
  return undefined;
}

const unreadable = (type: string): string =>
  `is of the type ${type}, which cannot be read: remove the field, or show it by a view.`;

function typeFault(
  found: FoundColumn,
  { cast }: SqlType,
  field: FieldShape | undefined,
): string | undefined {
  const { type, list, words } = found;
  if (words !== null) return list ? unreadable(`${type}[]`) : enumFault(found, words, cast, field);
  const named = cast.replace(/\[\]$/, '');
  const declared = readableType(named);
  const stored = readableType(type);
  if (declared !== undefined && stored !== undefined) {
    if (list === (named !== cast) && isAlike(stored, declared)) return undefined;
  }
  return `is of the type ${type}${list ? '[]' : ''} in the database, and not ${cast}: declare it with the type of its column, or write a migration that changes the column.`;
}

function enumFault(
  { type, path: [schema, name], visible }: FoundColumn,
  words: readonly string[],
  cast: string,
  field: FieldShape | undefined,
): string | undefined {
  const isNamed = cast === `${quote(schema)}.${quote(name)}` || (visible && cast === quote(name));
  if (!isNamed)
    return `is of the enum type ${type} in the database, and not ${cast}: declare it as Field.enum([…], { type: '${visible ? name : `${schema}.${name}`}' }).`;
  const choices = field?.kind === 'column' ? (field.choices ?? []) : [];
  const missing = choices.find((choice) => !words.includes(choice));
  if (missing === undefined) return undefined;
  return `has the choice ${missing}, which the enum type ${type} lacks: its values are ${words.join(', ')}.`;
}

/** Whether the database converts values of one into the other: a table may store whole numbers as decimal ones. */
const isAlike = (one: ScalarType, other: ScalarType): boolean =>
  one === other || (isNumeric(one) && isNumeric(other));
