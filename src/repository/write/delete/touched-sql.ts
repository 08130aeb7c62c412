import { type Compiled, Statement } from '../../compile/statement';
import type { Key } from '../../write-context';
import type { Reference } from '../../registry/column';
import { columnOf, type StoredCollection } from '../../registry/stored-collection';
import { lengthOfEach } from '../log/change-log';
import { LoggedColumns, type LoggedRow } from '../log/logged-columns';

/** Rows that are deleted. */
export type DeletedRows = ReadonlyMap<StoredCollection, readonly Key[]>;

/** A collection that refers to deleted rows. */
export interface Referring {
  readonly collection: StoredCollection;
  readonly references: readonly (Reference & { readonly target: StoredCollection })[];
}

/** A row that is deleted with another, or loses its reference. */
export interface Touched {
  readonly collection: StoredCollection;
  readonly row: LoggedRow;
  readonly logged: LoggedColumns;
  /** The cleared fields; all: the row is deleted. */
  readonly fields: 'all' | readonly string[];
}

/** As the statement returns it: `met` and `cells` are JSON lists. */
export interface TouchedRow {
  /** The index of the collection. */
  readonly place: number;
  readonly key: string;
  /** The references that the row has to deleted rows. */
  readonly met: string;
  /** How much of each value is kept. */
  readonly length: number;
  readonly cells: string | null;
}

interface Bounds {
  /** The rows that are referred to. */
  readonly level: DeletedRows;
  /** All rows that will be deleted, as far as determined. */
  readonly gone: DeletedRows;
  readonly limit: number;
  /** Characters for all values together. */
  readonly budget: number;
}

/**
 * The rows that refer to those that are deleted, locked. How much is kept of each value depends on how many there are:
 *
 * ```sql
 * WITH "referring 0" AS (SELECT s.* FROM "notes" s WHERE s."article" = ANY($1::int4[]) ORDER BY s."id" LIMIT 2501 FOR UPDATE),
 *   kept AS (SELECT … AS length)
 * SELECT 0 AS place, s."id"::text AS key, … FROM "referring 0" s, kept
 * ```
 */
export function compileTouched(referring: readonly Referring[], bounds: Bounds): Compiled {
  const statement = new Statement();
  const sources = referring.map(
    (each, place) => `${sourceName(place)} AS (${sourceOf(statement, each, bounds)})`,
  );
  const cells = referring.map(
    (each, place) => `(SELECT count(*) FROM ${sourceName(place)}) * ${namesOf(each).length}`,
  );
  const budget = statement.bind(bounds.budget, 'int8');
  const kept = `kept AS (SELECT ${lengthOfEach(budget, cells.join(' + '))} AS length)`;
  const rows = referring.map((each, place) => rowsOf(statement, each, place, bounds));
  return statement.compiled(
    `WITH ${[...sources, kept].join(', ')} ${rows.join(' UNION ALL ')} LIMIT ${statement.bind(bounds.limit, 'int4')}`,
  );
}

/** A row's logged columns: all where it may be deleted, else the cleared ones. */
function namesOf({ collection, references }: Referring): string[] {
  if (mayBeDeleted({ references })) return [...collection.columns.keys()];
  return collection.references.flatMap(({ field, onDelete }) =>
    field === undefined || onDelete !== 'SET NULL' ? [] : field,
  );
}

const deletesRow = ({ onDelete }: Reference): boolean => onDelete === 'CASCADE';

export const mayBeDeleted = ({ references }: Pick<Referring, 'references'>): boolean =>
  references.some(deletesRow);

/** The CTE's name must not hide a table. */
const sourceName = (place: number): string => `"referring ${place}"`;

function sourceOf(statement: Statement, each: Referring, bounds: Bounds): string {
  const { collection } = each;
  const key = columnOf(collection, collection.key);
  const met = metBy(statement, each, bounds.level).join(' OR ');
  const known = bounds.gone.get(collection) ?? [];
  const others =
    known.length > 0 ? ` AND s.${key.sql} <> ALL(${statement.bind(known, `${key.cast}[]`)})` : '';
  const limit = statement.bind(bounds.limit, 'int4');
  const lock = mayBeDeleted(each) ? 'UPDATE' : 'NO KEY UPDATE';
  return `SELECT s.* FROM ${collection.rows} s WHERE (${met})${others} ORDER BY s.${key.sql} LIMIT ${limit} FOR ${lock}`;
}

const metBy = (statement: Statement, { references }: Referring, level: DeletedRows): string[] =>
  references.map(({ sql, target }) => {
    const { cast } = columnOf(target, target.key);
    return `s.${sql} = ANY(${statement.bind(level.get(target) ?? [], `${cast}[]`)})`;
  });

function rowsOf(statement: Statement, each: Referring, place: number, { level }: Bounds): string {
  const { collection } = each;
  const key = columnOf(collection, collection.key).sql;
  const met = metBy(statement, each, level).map((one) => `(${one}) IS TRUE`);
  const cells = LoggedColumns.ofLength(collection, namesOf(each), 0).texts('s', 'kept.length + 1');
  const texts = `to_json(ARRAY[${cells.join(', ')}]::text[])::text`;
  return `SELECT ${place} AS place, s.${key}::text AS key, to_json(ARRAY[${met.join(', ')}])::text AS met, kept.length, CASE WHEN kept.length > 0 THEN ${texts} END AS cells FROM ${sourceName(place)} s, kept`;
}

/** @returns undefined where a row only loses a value that is not exposed */
export function touchedOf(
  referring: readonly Referring[],
  { place, key, met, length, cells }: TouchedRow,
): Touched | undefined {
  const each = referring[place];
  if (!each) return undefined;
  const { collection } = each;
  const marks = JSON.parse(met) as boolean[];
  const by = each.references.filter((_, at) => marks[at]);
  const fields = by.flatMap(({ field }) => field ?? []);
  const isGone = by.some(deletesRow);
  if (!isGone && fields.length === 0) return undefined;
  const logged = LoggedColumns.ofLength(collection, namesOf(each), length);
  const values = cells === null ? {} : logged.fromTexts(JSON.parse(cells) as (string | null)[]);
  const row = { ...values, key: keyOf(collection, key) };
  return { collection, row, logged, fields: isGone ? 'all' : fields };
}

const keyOf = (collection: StoredCollection, key: string): Key =>
  columnOf(collection, collection.key).type === 'integer' ? Number(key) : key;
