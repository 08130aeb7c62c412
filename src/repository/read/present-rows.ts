import { expressionType } from '../../engine';
import { inTurns } from '../../common/next-turn';
import type { Table } from '../../database/database';
import type { BoundQuery } from '../query/query';
import { fieldName } from '../compile/compile-output';
import { presentCell } from '../registry/decode';
import type { CollectionRegistry } from '../registry/registry';
import { MANY_VALUES } from './answer-budget';
import { fillingComputed } from './computed-values';

/** Presents many rows of this many values each, with turns for other requests. */
export async function presentInTurns<Row>(
  rows: Table['rows'],
  width: number,
  present: (cells: readonly unknown[]) => Row,
): Promise<Row[]> {
  const presented: Row[] = [];
  const perTurn = Math.ceil(MANY_VALUES / Math.max(1, width));
  await inTurns(rows, perTurn, (cells) => void presented.push(present(cells)));
  return presented;
}

/** @param names of the columns that were read */
export function presentingRows(
  query: BoundQuery,
  names: readonly string[],
  registry: CollectionRegistry,
) {
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
