import { randomBytes } from 'node:crypto';
import { escapeLiteral } from 'pg';
import { takeAdvisoryLock } from '../advisory-locks';
import type { Queries } from '../database';
import { quote } from '../quote';
import {
  isWhere,
  markIn,
  type TableOrColumn,
  readMarks,
  readPlaces,
  type StoredMark,
  withMark,
} from './catalogue';

/** A table, or one of its columns, under the names that rules use. */
export interface Registered {
  readonly collection: string;
  /** Empty: the table itself. */
  readonly field: string;
  /** The quoted table. */
  readonly path: string;
  /** Empty: the table itself. */
  readonly column: string;
}

/** The marks by `collection` and `collection.field`. */
type Marks = ReadonlyMap<string, string>;

const MARK_BYTES = 9;

const SAVE = `
  INSERT INTO service_marks (mark, collection, field, path, "column", relation, number, commented)
  SELECT mark, collection, field, path, "column", relation, number, commented
  FROM jsonb_populate_recordset(NULL::service_marks, $1::jsonb)
  ON CONFLICT (mark) DO UPDATE SET collection = excluded.collection, field = excluded.field,
    path = excluded.path, "column" = excluded."column", relation = excluded.relation,
    number = excluded.number, commented = excluded.commented`;

export const markKey = (collection: string, field: string): string =>
  field === '' ? collection : `${collection}.${field}`;

/**
 * Gives every registered table and column its mark, in its COMMENT where the role may write one, and records its place.
 * Missing tables and columns get none.
 * @param tx an open transaction
 */
export async function establishMarks(
  tx: Queries,
  registered: readonly Registered[],
): Promise<Marks> {
  // Of instances that start together each finds the marks of the one before.
  await tx.query(takeAdvisoryLock('marks'));
  const storedMarks = await readMarks(tx);
  const places = await readPlaces(
    tx,
    registered.map(({ path }) => path),
  );
  const placed = placeAll(registered, places, storedMarks);
  await comment(tx, placed);
  const changed = placed.filter(({ mark }) => !storedMarks.some((each) => isSame(each, mark)));
  if (changed.length > 0) await tx.query(SAVE, [JSON.stringify(changed.map(({ mark }) => mark))]);
  return new Map(placed.map(({ mark }) => [markKey(mark.collection, mark.field), mark.mark]));
}

interface PlacedMark {
  readonly place: TableOrColumn;
  readonly mark: StoredMark;
}

function placeAll(
  registered: readonly Registered[],
  places: readonly TableOrColumn[],
  stored: readonly StoredMark[],
): PlacedMark[] {
  const byName = new Map(places.map((place) => [`${place.path} ${place.column}`, place]));
  const taken = new Set<string>();
  return registered.flatMap(({ collection, field, path, column }) => {
    const place = byName.get(`${path} ${column}`);
    if (!place) return [];
    const mark = markOf(place, places, stored, taken);
    taken.add(mark);
    const { relation, number, owned } = place;
    const record = { mark, collection, field, path, column, relation, number, commented: owned };
    return [{ place, mark: record }];
  });
}

/**
 * The mark in its comment; where the comment was lost, the recorded one; otherwise a new one. A copy of a table gets a
 * new mark.
 */
function markOf(
  place: TableOrColumn,
  places: readonly TableOrColumn[],
  stored: readonly StoredMark[],
  taken: ReadonlySet<string>,
): string {
  const marked = markIn(place.comment);
  const known = stored.find(({ mark }) => mark === marked);
  const original = (each: TableOrColumn): boolean =>
    each !== place &&
    markIn(each.comment) === marked &&
    known !== undefined &&
    isWhere(known, each);
  if (marked !== undefined && !taken.has(marked) && !places.some(original)) return marked;
  const lost = marked === undefined ? stored.find((each) => isWhere(each, place)) : undefined;
  return lost && !taken.has(lost.mark) ? lost.mark : randomBytes(MARK_BYTES).toString('base64url');
}

async function comment(tx: Queries, placed: readonly PlacedMark[]): Promise<void> {
  const statements = placed
    .filter(({ place, mark }) => place.owned && markIn(place.comment) !== mark.mark)
    .map(({ place, mark }) => {
      const object =
        place.column === ''
          ? `${place.kind} ${place.path}`
          : `COLUMN ${place.path}.${quote(place.column)}`;
      return `COMMENT ON ${object} IS ${escapeLiteral(withMark(place.comment, mark.mark))}`;
    });
  if (statements.length > 0) await tx.query(statements.join('; '));
}

const isSame = (one: StoredMark, other: StoredMark): boolean =>
  one.mark === other.mark &&
  one.collection === other.collection &&
  one.field === other.field &&
  one.commented === other.commented &&
  one.relation === other.relation &&
  one.number === other.number &&
  isWhere(one, { ...other, kind: '', owned: true, comment: null });
