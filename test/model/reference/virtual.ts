import type { Cell } from '../../../src/engine';
import { COLLECTIONS, MARKS, shapesOf, tableOf } from '../tables';
import type { ModelRule, StoredRow, World } from '../world';
import { meets } from './meets';
import type { SeenRow, Tables } from './seen';
import { type ValuesOf, variablesIn } from './variables';

/** What a world looks like: as it is stored, and to its caller. */
export interface Views {
  readonly world: World;
  readonly real: Tables;
  readonly virtual: Tables;
  readonly ruleValues: ValuesOf;
  readonly queryValues: ValuesOf;
}

/** @param before what the variables of rules stood for when the request began, where it has written since */
export function viewsOf(world: World, before?: ValuesOf): Views {
  const real = new Map(
    [...COLLECTIONS, MARKS].map(({ name }) => [name, stored(world, name).map(allOf(name))]),
  );
  const ruleValues = before ?? variablesIn(world, real);
  const virtual = new Map(
    [...real].map(([name, rows]) => [name, seen(world, name, rows, real, ruleValues)]),
  );
  return { world, real, virtual, ruleValues, queryValues: variablesIn(world, virtual) };
}

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
        .map((shape): [string, Cell] => [shape.name, cells[shape.name] ?? null]),
    ),
    lists: new Set(shapes.filter((shape) => shape.kind === 'to-many').map((shape) => shape.name)),
  };
}

/** Rows that no rule reaches are absent; of the others, cells that no rule that reaches the row lists are NULL. */
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

/** Whether the caller may read anything of a collection at all, by the rules' field lists alone. */
export const mayRead = (world: World, name: string): boolean =>
  world.caller.administrator || readRules(world, name).length > 0;

/** Whether the caller may name a field, by the rules' field lists alone. */
export const mayName = (world: World, name: string, field: string): boolean =>
  mayRead(world, name) &&
  (world.caller.administrator ||
    field === tableOf(name).key ||
    readRules(world, name).some((rule) => lists(rule, field)));
