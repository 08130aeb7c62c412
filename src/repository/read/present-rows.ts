import { expressionType } from '../../engine';
import { inTurns } from '../../common/next-turn';
import type { Table } from '../../database/database';
import type { BoundQuery } from '../query/query';
import { fieldName } from '../compile/compile-output';
import { presentCell } from '../registry/decode';
import type { CollectionRegistry } from '../registry/registry';
import { MANY_VALUES } from './answer-budget';
import { fillingComputed } from './computed-values';

export function presentRows(
  query: BoundQuery,
  { names, rows }: Table,
  registry: CollectionRegistry,
): Record<string, unknown>[] {
  return rows.map(presenting(query, names, registry));
}

/** The same for many rows, with turns for other requests. */
export async function presentInTurns(
  query: BoundQuery,
  { names, rows }: Table,
  registry: CollectionRegistry,
): Promise<Record<string, unknown>[]> {
  const present = presenting(query, names, registry);
  const presented: Record<string, unknown>[] = [];
  const atOnce = Math.ceil(MANY_VALUES / Math.max(1, query.fields.length));
  await inTurns(rows, atOnce, (cells) => void presented.push(present(cells)));
  return presented;
}

function presenting(query: BoundQuery, names: readonly string[], registry: CollectionRegistry) {
  const shown = query.fields.map((selected, index) => ({
    as: selected.as,
    type: expressionType(selected),
    at: names.indexOf(fieldName(index)),
  }));
  const fillComputed = fillingComputed(query, names, registry);
  return (cells: readonly unknown[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {};
    // A computed function has no cell: its place is null until it is filled.
    for (const { as, type, at } of shown) row[as] = presentCell(type, cells[at]);
    fillComputed?.(row, cells);
    return row;
  };
}
