import type { Queries } from '../../../database/database';
import { unquote } from '../../../database/quote';
import { type StoredCollection, columnOf } from '../../registry/stored-collection';

/** What a writer must know about a table to use fewer statements; any migration may have created it. */
export interface TableFacts {
  /** What gives a new row its key, as SQL: the DEFAULT of the column, or its sequence. */
  readonly keyDefault: string | null;
  /** Columns whose values must differ between rows: there the order of updates matters. */
  readonly unshared: readonly string[];
  /** Columns besides the key whose change locks a row like that of its key: those of unique indexes over all rows. */
  readonly identifying: readonly string[];
  /** RETURNING shows the final row: nothing in the database changes it once it is stored. */
  readonly final: boolean;
  /** The columns' types, by the columns' names. */
  readonly types: Readonly<Record<string, string>>;
}

/**
 * A row's key is never updated; other columns that another table refers to may be, and the consequences may change the
 * row again. An index depends on the columns in its expressions and its condition; 0 stands for the whole table, and
 * counts as all of them.
 */
const FACTS = `
  SELECT coalesce(pg_get_expr(d.adbin, d.adrelid),
           'nextval(' || quote_literal(pg_get_serial_sequence($1::text, k.attname::text)) || ')') AS "keyDefault",
         ARRAY(SELECT DISTINCT c.attname::text
                 FROM pg_index i JOIN pg_attribute c ON c.attrelid = i.indrelid AND c.attnum > 0
                WHERE i.indrelid = k.attrelid AND (i.indisunique OR i.indisexclusion)
                  AND (c.attnum = ANY (i.indkey) OR EXISTS (
                    SELECT 1 FROM pg_depend used
                     WHERE used.classid = 'pg_class'::regclass AND used.objid = i.indexrelid
                       AND used.refclassid = 'pg_class'::regclass AND used.refobjid = i.indrelid
                       AND used.refobjsubid IN (0, c.attnum)))) AS unshared,
         ARRAY(SELECT DISTINCT c.attname::text
                 FROM pg_index i JOIN pg_attribute c ON c.attrelid = i.indrelid
                WHERE i.indrelid = k.attrelid AND i.indisunique
                  AND i.indpred IS NULL AND i.indexprs IS NULL AND c.attnum <> k.attnum
                  AND c.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])) AS identifying,
         t.relkind = 'r' AND NOT (t.relhasrules OR t.relhassubclass OR t.relrowsecurity)
           AND NOT EXISTS (SELECT 1 FROM pg_trigger own WHERE own.tgrelid = t.oid AND NOT own.tgisinternal)
           AND NOT EXISTS (SELECT 1 FROM pg_constraint to_it
                            WHERE to_it.confrelid = t.oid AND to_it.confupdtype NOT IN ('a', 'r')
                              AND to_it.confkey <> ARRAY[k.attnum]) AS final,
         (SELECT json_object_agg(c.attname, c.atttypid::regtype) FROM pg_attribute c
           WHERE c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped) AS types
    FROM pg_attribute k JOIN pg_class t ON t.oid = k.attrelid
         LEFT JOIN pg_attrdef d ON d.adrelid = k.attrelid AND d.adnum = k.attnum
   WHERE k.attrelid = $1::text::regclass AND k.attname = $2::text`;

/** Tables do not change while the service runs. */
const known = new WeakMap<StoredCollection, TableFacts>();

interface FactsOf {
  readonly collection: StoredCollection;
  readonly tx: Queries;
}

/** Reads the facts at the first write to a table. */
export async function tableFacts({ collection, tx }: FactsOf): Promise<TableFacts> {
  const cached = known.get(collection);
  if (cached) return cached;
  const facts = await readFacts(collection, tx);
  known.set(collection, facts);
  return facts;
}

async function readFacts(collection: StoredCollection, tx: Queries): Promise<TableFacts> {
  const [facts] = await tx.query<TableFacts>(FACTS, [collection.table, keyColumn(collection)]);
  return facts ?? { keyDefault: null, unshared: [], identifying: [], final: false, types: {} };
}

/** The name of the key's column, unquoted. */
const keyColumn = (collection: StoredCollection): string => columnName(collection, collection.key);

/** The type of a field's column in the database, as PostgreSQL writes it; undefined where it is unknown. */
export const typeIn = (
  { types }: TableFacts,
  collection: StoredCollection,
  field: string,
): string | undefined => types[columnName(collection, field)];

const columnName = (collection: StoredCollection, field: string): string =>
  unquote(columnOf(collection, field).sql);
