import { type Cell, isStored } from '../../../src/engine';
import { NOW } from '../pools';
import { COLLECTIONS, MARKS, type ModelTable, tableOf } from '../tables';
import type { Contents, StoredRow } from '../world';
import { isLive } from './virtual';

/** A foreign key by which rows of one table name rows of another. */
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

/** What is left when rows are deleted; nothing where a row that stays names one of them. */
export function withoutRows(
  rows: Contents,
  collection: string,
  keys: readonly Cell[],
): Contents | undefined {
  return tableOf(collection).deletedAt === undefined
    ? withoutGone(rows, collection, keys)
    : withDeleted(rows, collection, keys);
}

/** Deleted rows stay as they are: to those that name them they are gone, and they to whatever they name. */
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

/** A row that is left holds those that it names; a deleted one lets go of them where it can be without. */
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

/** What goes with others goes first, and then holds nothing. */
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

/** The links that the ORM keeps go with the rows. */
const marksOf = (collection: string, row: StoredRow, keys: readonly Cell[]): boolean =>
  [...MARKS.fields.values()].some(
    ({ shape }) =>
      isStored(shape) &&
      shape.kind === 'to-one' &&
      shape.target === collection &&
      names(row, shape.name, keys),
  );
