import type { Queries as All } from '../database';

type Queries = Pick<All, 'query'>;

/** A stored mark. */
export interface StoredMark {
  readonly mark: string;
  readonly collection: string;
  readonly field: string;
  readonly path: string;
  readonly column: string;
  readonly relation: string;
  readonly number: number;
  readonly commented: boolean;
}

/** A table (its column is empty, its number 0) or a column, as found in the database. */
export interface TableOrColumn {
  readonly path: string;
  readonly column: string;
  readonly relation: string;
  readonly number: number;
  /** The kind of table in COMMENT ON. */
  readonly kind: string;
  /** Whether the role may comment on it. */
  readonly owned: boolean;
  readonly comment: string | null;
}

const MARK = /\s*\[doorward:([\w-]+)\]/;

export const markIn = (comment: string | null): string | undefined =>
  comment === null ? undefined : MARK.exec(comment)?.[1];

/** Keeps the rest of the comment. */
export const withMark = (comment: string | null, mark: string): string =>
  `${(comment ?? '').replace(MARK, '')} [doorward:${mark}]`.trim();

const STORED = `
  SELECT mark, collection, field, path, "column", relation::text, number, commented
  FROM service_marks ORDER BY mark`;

const PLACES = `
  SELECT named.path, coalesce(a.attname::text, '') AS column, c.oid::int8::text AS relation,
    coalesce(a.attnum, 0)::int4 AS number,
    CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END AS kind,
    pg_has_role(c.relowner, 'USAGE') AS owned,
    d.description AS comment
  FROM unnest($1::text[]) AS named(path)
  JOIN pg_class c ON c.oid = to_regclass(named.path)
  LEFT JOIN LATERAL (
    SELECT attname, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT NULL, 0
  ) a ON true
  LEFT JOIN pg_description d
    ON d.objoid = c.oid AND d.objsubid = a.attnum AND d.classoid = 'pg_class'::regclass
  ORDER BY named.path, a.attnum`;

/** Every mark in any comment. */
const IN_COMMENTS = `
  SELECT DISTINCT substring(description FROM '\\[doorward:([\\w-]+)\\]') AS mark
  FROM pg_description WHERE classoid = 'pg_class'::regclass AND description LIKE '%[doorward:%'`;

/** All marks that a start has stored. */
export const readMarks = (queries: Queries): Promise<StoredMark[]> =>
  queries.query<StoredMark>(STORED);

/** @param paths quoted tables; missing ones are left out */
export const readPlaces = (queries: Queries, paths: readonly string[]): Promise<TableOrColumn[]> =>
  queries.query<TableOrColumn>(PLACES, [[...new Set(paths)]]);

/** All marks that some COMMENT contains. */
export const readMarksInComments = async (queries: Queries): Promise<ReadonlySet<string>> =>
  new Set((await queries.query<{ mark: string }>(IN_COMMENTS)).map(({ mark }) => mark));

/** Whether it is the table or column that the mark was stored for, even if its comment was lost. */
export const isWhere = (stored: StoredMark, place: TableOrColumn): boolean =>
  stored.path === place.path &&
  stored.column === place.column &&
  (!stored.commented || (stored.relation === place.relation && stored.number === place.number));
