import Big from 'big.js';
import { applyFunction, type Cell, type FieldShape, textOf, type Value } from '../../../src/engine';
import { fieldOf, tableOf } from '../tables';
import { testedBy } from './meets';
import { listOf, type SeenRow, type Tables, targetOf } from './seen';

/** The place of each text in a collation, read from the database, as the model does not know collations. */
export type Collations = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Sorts by the terms, with NULL as the greatest, and finally by the key. */
export function sorted(
  rows: readonly SeenRow[],
  terms: readonly string[],
  collection: string,
  tables: Tables,
  collations: Collations,
): SeenRow[] {
  const compare = (one: SeenRow, other: SeenRow): number => {
    for (const term of [...terms, tableOf(collection).key]) {
      const descending = term.startsWith('-');
      const path = (descending ? term.slice(1) : term).split('.');
      const { field, fn, collation } = endOf(path, collection);
      const order = collations.get(collation);
      const difference = compareCells(
        field,
        fn,
        valueAt(one, path, collection, tables),
        valueAt(other, path, collection, tables),
        order,
      );
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };
  return [...rows].sort(compare);
}

function endOf(path: readonly string[], collection: string) {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    const { field, fn } = testedBy(name, collection);
    const { collation = 'default' } = tableOf(collection).fields.get(field.name) ?? {};
    return { field, fn, collation };
  }
  const hop = fieldOf(collection, name);
  if (hop.kind !== 'to-one') throw new Error(`${name} leads to no single row`);
  return endOf(rest, hop.target);
}

function valueAt(row: SeenRow, path: readonly string[], collection: string, tables: Tables): Cell {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const hop = fieldOf(collection, name);
    if (hop.kind !== 'to-one') throw new Error(`${name} leads to no single row`);
    const target = targetOf(tables, row, hop);
    return target ? valueAt(target, rest, hop.target, tables) : null;
  }
  const { field, fn } = testedBy(name, collection);
  if (field.kind === 'to-many') return listOf(tables, row, field)?.length ?? null;
  const cell = row.cells[field.name] ?? null;
  return fn === null ? cell : applyFunction(fn, cell);
}

function compareCells(
  field: FieldShape,
  fn: string | null,
  one: Cell,
  other: Cell,
  order: ReadonlyMap<string, number> | undefined,
): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (fn !== null || field.kind === 'to-many') return Number(one) - Number(other);
  switch (field.type) {
    case 'text':
    case 'enum':
      return (order?.get(textOf(one)) ?? NaN) - (order?.get(textOf(other)) ?? NaN);
    case 'boolean':
      return Number(one) - Number(other);
    case 'integer':
    case 'double':
    case 'bigint':
    case 'decimal':
      return compareNumbers(one, other);
    default:
      return textOf(one) < textOf(other) ? -1 : Number(textOf(one) > textOf(other));
  }
}

/** Compares exactly; NaN is the greatest number. */
function compareNumbers(one: Value, other: Value): number {
  const [left, right] = [Number(one), Number(other)];
  return Number.isNaN(left) || Number.isNaN(right)
    ? Number(Number.isNaN(left)) - Number(Number.isNaN(right))
    : new Big(textOf(one)).cmp(textOf(other));
}
