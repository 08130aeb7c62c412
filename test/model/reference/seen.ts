import type { Cell, ToManyShape, ToOneShape } from '../../../src/engine';

/** A row as somebody sees it: hidden cells and hidden lists are NULL. */
export interface SeenRow {
  readonly key: Cell;
  readonly cells: Readonly<Record<string, Cell>>;
  readonly lists: ReadonlySet<string>;
  /** To-one fields whose target is missing, whatever their key. */
  readonly leadNowhere?: ReadonlySet<string>;
}

/** The tables as somebody sees them: the stored tables, or a caller's virtual ones. */
export type Tables = ReadonlyMap<string, readonly SeenRow[]>;

export const rowsOf = (tables: Tables, collection: string): readonly SeenRow[] =>
  tables.get(collection) ?? [];

export const byKey = (tables: Tables, collection: string, key: Cell): SeenRow | undefined =>
  key === null ? undefined : rowsOf(tables, collection).find((row) => row.key === key);

/** The row that a to-one leads to, if both its key and the row are visible. */
export const targetOf = (tables: Tables, row: SeenRow, field: ToOneShape): SeenRow | undefined =>
  row.leadNowhere?.has(field.name)
    ? undefined
    : byKey(tables, field.target, row.cells[field.name] ?? null);

/** The rows of a list; null if the list is hidden. */
export function listOf(
  tables: Tables,
  row: SeenRow,
  field: ToManyShape,
): readonly SeenRow[] | null {
  if (!row.lists.has(field.name)) return null;
  // A row that is not stored yet may have no key, and then nothing refers to it.
  if (row.key === null) return [];
  const targets = rowsOf(tables, field.target);
  const { foreignKey, through } = field;
  if (foreignKey !== undefined)
    return targets.filter((child) => child.cells[foreignKey] === row.key);
  if (!through) throw new Error(`${field.name} is no list`);
  const linked = rowsOf(tables, through.collection).filter(
    (link) => link.cells[through.foreignKey] === row.key,
  );
  return linked.flatMap((link) =>
    targets.filter((target) => target.key === link.cells[through.targetForeignKey]),
  );
}
