import type { Queries } from '../../database/database';
import { quote, unquote } from '../../database/quote';
import type { CollectionRegistry } from './registry';
import { columnOf, columnsBySql, type StoredCollection } from './stored-collection';

/**
 * For each table and right that the role lacks on it: on all columns, or on some. No right is needed to write a column
 * that the database fills alone. The same for sequences from which defaults are taken; the check fails on any other
 * kind of relation, and so must come after that of the kind.
 */
const LACKING = `
  WITH sent AS (
    SELECT s.place::int4, s.is_read, c.*,
      s.is_key AND (c.atthasdef OR c.attidentity <> '') OR c.attidentity = 'a' OR c.attgenerated <> '' AS filled,
      s.is_key OR c.attidentity = 'a' OR c.attgenerated <> '' AS kept
    FROM unnest($1::int4[], $2::text[], $3::text[], $4::bool[], $5::bool[]) s(place, path, name, is_key, is_read)
    JOIN pg_attribute c ON c.attrelid = to_regclass(s.path) AND c.attname = s.name AND NOT c.attisdropped
  ), needed AS (
    SELECT place, attrelid, attname, attnum, 'SELECT' AS "right" FROM sent
    UNION ALL SELECT place, attrelid, attname, attnum, 'INSERT' FROM sent WHERE NOT is_read AND NOT filled
    UNION ALL SELECT place, attrelid, attname, attnum, 'UPDATE' FROM sent WHERE NOT is_read AND NOT kept
  ), checked AS (
    SELECT *, has_column_privilege(attrelid, attnum, "right") AS granted FROM needed
  )
  SELECT place, "right", NULL AS sequence,
    CASE WHEN bool_or(granted) THEN array_agg(attname::text ORDER BY attnum) FILTER (WHERE NOT granted) END AS columns
  FROM checked GROUP BY place, "right" HAVING NOT bool_and(granted)
  UNION ALL
  SELECT DISTINCT place, 'DELETE', NULL, NULL::text[] FROM sent
  WHERE NOT is_read AND NOT has_table_privilege(attrelid, 'DELETE')
  UNION ALL
  SELECT DISTINCT place, 'USAGE', q.oid::regclass::text, NULL::text[]
  FROM sent JOIN pg_attrdef f ON f.adrelid = attrelid AND f.adnum = attnum
  JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid AND d.refclassid = 'pg_class'::regclass
  JOIN pg_class q ON q.oid = d.refobjid
  WHERE NOT is_read AND CASE q.relkind WHEN 'S' THEN NOT has_sequence_privilege(q.oid, 'USAGE, UPDATE') ELSE false END`;

interface Lacking {
  readonly place: number;
  readonly right: string;
  /** Quoted where needed. */
  readonly sequence: string | null;
  /** Null: all of them. */
  readonly columns: readonly string[] | null;
}

const READ = 'SELECT';
/** As they are named. */
const RIGHTS = [READ, 'INSERT', 'UPDATE', 'DELETE'];

/**
 * Finds tables on which the service's role lacks a right, so that some requests cannot succeed.
 * @returns a sentence for each table
 */
export async function missingRights(
  registry: CollectionRegistry,
  queries: Queries,
): Promise<string[]> {
  const tables = [...registry.all()].map(({ name }) => registry.table(name));
  const found = await queries.query<Lacking>(LACKING, columnsOf(tables));
  if (found.length === 0) return [];
  const [session] = await queries.query<{ role: string }>('SELECT current_user::text AS role');
  const role = quote(session?.role ?? '');
  return tables.flatMap((stored, place) => {
    const lacking = found.filter((each) => each.place === place);
    return lacking.length === 0 ? [] : sentenceOf(stored, lacking, role);
  });
}

/** The parameters of `LACKING`: a list for each. */
function columnsOf(tables: readonly StoredCollection[]): unknown[] {
  const columns = tables.flatMap((stored, place) => {
    const { table: path, view: isRead = false, key } = stored;
    const { sql: keySql } = columnOf(stored, key);
    const names = [...columnsBySql(stored).keys()];
    return names.map((sql) => ({ place, path, name: unquote(sql), isKey: sql === keySql, isRead }));
  });
  return [
    columns.map(({ place }) => place),
    columns.map(({ path }) => path),
    columns.map(({ name }) => name),
    columns.map(({ isKey }) => isKey),
    columns.map(({ isRead }) => isRead),
  ];
}

function sentenceOf(
  { name, table, view }: StoredCollection,
  lacking: readonly Lacking[],
  role: string,
): string {
  const grants = grantsOf(lacking, table).map((grant) => `${grant} TO ${role}`);
  const mayBeView = view !== true && lacking.every(({ right }) => right !== READ);
  const remedy = mayBeView ? 'Declare it with { view: true }, which is only read, or run' : 'Run';
  return `The database role lacks rights on the table of the collection ${name}: requests that need them get 503. ${remedy} ${grants.join('; ')}.`;
}

function grantsOf(lacking: readonly Lacking[], table: string): string[] {
  const rights = RIGHTS.flatMap((right) => lacking.find((each) => each.right === right) ?? []).map(
    ({ right, columns }) =>
      columns === null ? right : `${right} (${columns.map(quote).join(', ')})`,
  );
  const sequences = lacking.flatMap(({ sequence }) => sequence ?? []);
  return [
    ...(rights.length === 0 ? [] : [`GRANT ${rights.join(', ')} ON ${table}`]),
    ...sequences.map((sequence) => `GRANT USAGE ON SEQUENCE ${sequence}`),
  ];
}
