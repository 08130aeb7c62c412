import { type Cell, isStored } from '../../../src/engine';
import { NOW } from '../pools';
import { COLLECTIONS, MARKS, type ModelTable, tableOf } from '../tables';
import type { Contents, StoredRow } from '../world';
import { isLive } from './virtual';

/** A foreign key from the rows of one table to those of another. */
interface Naming {
  readonly holder: ModelTable;
  readonly field: string;
  readonly onDelete: string | undefined;
  readonly nullable: boolean;
}

const namingsOf = (target: string): Naming[] =>
  COLLECTIONS.flatMap((holder) =>
    [...holder.fields.values()].flatMap(({ shape, onDelete }) =>
      shape.kind === 'to-one' && shape.target === target
        ? [{ holder, field: shape.name, onDelete, nullable: shape.nullable }]
        : [],
    ),
  );

/** The rows that remain after a deletion; undefined if a remaining row refers to a deleted one. */
export function withoutRows(
  rows: Contents,
  collection: string,
  keys: readonly Cell[],
): Contents | undefined {
  return tableOf(collection).deletedAt === undefined
    ? withoutGone(rows, collection, keys)
    : withDeleted(rows, collection, keys);
}

/** Rows that are marked as deleted keep their content; rows that refer to them are changed as if they were gone. */
function withDeleted(
  rows: Contents,
  collection: string,
  keys: readonly Cell[],
): Contents | undefined {
  const deletedAt = tableOf(collection).deletedAt ?? '';
  const mark = (row: StoredRow): StoredRow =>
    keys.includes(row['id'] ?? null) ? { ...row, [deletedAt]: NOW.toISOString() } : row;
  let left: Contents = { ...rows, [collection]: (rows[collection] ?? []).map(mark) };
  for (const naming of inOrder(namingsOf(collection))) {
    const { holder, field } = naming;
    const held = (row: StoredRow): boolean => isLive(holder.name)(row) && names(row, field, keys);
    const found = (left[holder.name] ?? []).filter(held);
    if (found.length === 0) continue;
    if (naming.onDelete === undefined) return undefined;
    const next =
      naming.onDelete === 'SET NULL'
        ? emptied(left, naming, held)
        : withoutRows(
            left,
            holder.name,
            found.map((row) => row['id'] ?? null),
          );
    if (!next) return undefined;
    left = next;
  }
  return left;
}

/**
 * A remaining row prevents the deletion of rows that it refers to; one marked as deleted loses the reference where it
 * may.
 */
function withoutGone(
  rows: Contents,
  collection: string,
  keys: readonly Cell[],
): Contents | undefined {
  const isKept = (row: StoredRow): boolean => !keys.includes(row['id'] ?? null);
  let left: Contents = { ...rows, [collection]: (rows[collection] ?? []).filter(isKept) };
  for (const naming of namingsOf(collection)) {
    const { holder, field } = naming;
    const held = (row: StoredRow): boolean => names(row, field, keys);
    if (naming.nullable) {
      const lets = (row: StoredRow): boolean => held(row) && !isLive(holder.name)(row);
      left = emptied(left, naming, lets);
    }
    if ((left[holder.name] ?? []).some(held)) return undefined;
  }
  const marks = (rows[MARKS.name] ?? []).filter((row) => !marksOf(collection, row, keys));
  return { ...left, [MARKS.name]: marks };
}

/** Cascades come first, so that the rows that they delete no longer prevent anything. */
const inOrder = (namings: readonly Naming[]): Naming[] =>
  namings.toSorted((one, other) => place(one) - place(other));

const place = ({ onDelete }: Naming): number => (onDelete === 'CASCADE' ? 0 : 1);

const names = (row: StoredRow, field: string, keys: readonly Cell[]): boolean =>
  (row[field] ?? null) !== null && keys.includes(row[field] ?? null);

const emptied = (
  rows: Contents,
  { holder, field }: Naming,
  which: (row: StoredRow) => boolean,
): Contents => ({
  ...rows,
  [holder.name]: (rows[holder.name] ?? []).map((row) =>
    which(row) ? { ...row, [field]: null } : row,
  ),
});

/** Links in the ORM's junction table are deleted with their rows. */
const marksOf = (collection: string, row: StoredRow, keys: readonly Cell[]): boolean =>
  [...MARKS.fields.values()].some(
    ({ shape }) =>
      isStored(shape) &&
      shape.kind === 'to-one' &&
      shape.target === collection &&
      names(row, shape.name, keys),
  );
