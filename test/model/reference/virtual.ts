import type { Cell, FieldShape } from '../../../src/engine';
import { shown } from '../pools';
import { COLLECTIONS, MARKS, shapesOf, tableOf } from '../tables';
import type { ModelRule, StoredRow, World } from '../world';
import { meets } from './meets';
import { rowsOf, type SeenRow, type Tables } from './seen';
import { type ValuesOf, variablesIn } from './variables';

/** A world as it is stored, and as its caller sees it. */
export interface Views {
  readonly world: World;
  readonly real: Tables;
  readonly virtual: Tables;
  readonly ruleValues: ValuesOf;
  readonly queryValues: ValuesOf;
  /** The deleted rows that the caller may ask for: those that a delete rule of theirs reaches and read rules show. */
  readonly deleted: Tables;
}

/** @param before the values of the variables of rules when the request began, if it has written since */
export function viewsOf(world: World, before?: ValuesOf): Views {
  const real = new Map(
    ALL.map(({ name }) => [name, stored(world, name).filter(isLive(name)).map(allOf(name))]),
  );
  const ruleValues = before ?? variablesIn(world, real);
  const virtual = new Map(
    [...real].map(([name, rows]) => [name, seen(world, name, rows, real, ruleValues)]),
  );
  const deleted = new Map(
    ALL.map(({ name }) => {
      const rows = stored(world, name)
        .filter((row) => !isLive(name)(row))
        .map(allOf(name));
      const mine = rows.filter((row) => mayDelete(world, name, row, real, ruleValues));
      return [name, seen(world, name, mine, real, ruleValues)];
    }),
  );
  return { world, real, virtual, deleted, ruleValues, queryValues: variablesIn(world, virtual) };
}

const ALL = [...COLLECTIONS, MARKS];

/** Where there is a field for the time of deletion, a deleted row is kept, but counts as missing everywhere. */
export const isLive =
  (name: string) =>
  (row: StoredRow): boolean => {
    const { deletedAt } = tableOf(name);
    return deletedAt === undefined || (row[deletedAt] ?? null) === null;
  };

const mayDelete = (
  world: World,
  name: string,
  row: SeenRow,
  real: Tables,
  valuesOf: ValuesOf,
): boolean =>
  world.caller.administrator ||
  world.rules.some(
    (rule) =>
      rule.collection === name &&
      rule.action === 'delete' &&
      meets(rule.permissions, name, row, { tables: real, valuesOf }),
  );

/** The rows that a query is about. */
export const askedRows = (
  { virtual, deleted }: Views,
  collection: string,
  which: 'with' | 'only' | null,
): readonly SeenRow[] => [
  ...(which === 'only' ? [] : rowsOf(virtual, collection)),
  ...(which === null ? [] : rowsOf(deleted, collection)),
];

const stored = (world: World, name: string): readonly StoredRow[] => world.rows[name] ?? [];

/** A row with nothing hidden. */
export const allOf =
  (name: string) =>
  (row: StoredRow): SeenRow =>
    only(name, row, () => true);

function only(name: string, cells: StoredRow, granted: (field: string) => boolean): SeenRow {
  const shapes = shapesOf(name).filter((shape) => granted(shape.name));
  return {
    key: cells[tableOf(name).key] ?? null,
    cells: Object.fromEntries(
      shapes
        .filter((shape) => shape.kind !== 'to-many')
        .map((shape): [string, Cell] => [shape.name, cellOf(name, shape, cells, granted)]),
    ),
    lists: new Set(shapes.filter((shape) => shape.kind === 'to-many').map((shape) => shape.name)),
  };
}

/** A computed cell is granted where everything that it is computed from is granted. */
function cellOf(
  name: string,
  shape: FieldShape,
  cells: StoredRow,
  granted: (field: string) => boolean,
): Cell {
  const { computed } = tableOf(name).fields.get(shape.name) ?? {};
  if (!computed || shape.kind !== 'column') return shown(cells[shape.name] ?? null);
  return shape.computed?.from.every(granted) ? computed.value(cells) : null;
}

/**
 * Rows that no rule reaches are absent; in the others, cells are NULL unless a rule that reaches the row grants them.
 */
function seen(
  world: World,
  name: string,
  rows: readonly SeenRow[],
  real: Tables,
  valuesOf: ValuesOf,
): readonly SeenRow[] {
  if (world.caller.administrator || tableOf(name).implicit) return rows;
  const rules = readRules(world, name);
  return rows.flatMap((row) => {
    const met = rules.filter((rule) =>
      meets(rule.permissions, name, row, { tables: real, valuesOf }),
    );
    if (met.length === 0) return [];
    const granted = (field: string): boolean =>
      field === tableOf(name).key || met.some((rule) => lists(rule, field));
    return [only(name, row.cells, granted)];
  });
}

/** A read rule that grants no field grants no row. */
const readRules = (world: World, name: string): ModelRule[] =>
  world.rules.filter(
    (rule) => rule.collection === name && rule.action === 'read' && (rule.fields ?? []).length > 0,
  );

export const lists = (rule: ModelRule, field: string): boolean =>
  (rule.fields ?? []).some((each) => each === '*' || each === field);

/** Whether the caller may read anything of a collection, only by the field lists of the rules. */
export const mayRead = (world: World, name: string): boolean =>
  world.caller.administrator || readRules(world, name).length > 0;

/** Whether the caller may name a field, only by the field lists of the rules. */
export const mayName = (world: World, name: string, field: string): boolean =>
  mayRead(world, name) &&
  (world.caller.administrator ||
    field === tableOf(name).key ||
    readRules(world, name).some((rule) => lists(rule, field)));
